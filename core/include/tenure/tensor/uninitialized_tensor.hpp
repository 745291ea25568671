// SPDX-License-Identifier: Apache-2.0
// uninitialized_tensor: an owner whose elements have not been written yet.
#pragma once

#include <utility>

#include "tenure/tensor/tensor.hpp"

namespace tenure::inline TENURE_BUILD {

// Not a Tensor until whoever fills it says that every element has been written. Destroyed before that, it
// gives its bytes back like any owner. Making one throws what a bad shape throws, OutOfMemory, ProviderError.
class UninitializedTensor final : public Owner {
 public:
  // In storage of the domain, in recycled storage of the pool's domain, in the core's host memory.
  static UninitializedTensor in(const AllocationDomain& domain, DType dtype, AxisValues extents,
                                BorrowPlace place = BorrowPlace::here()) {
    constexpr const char* operation = "UninitializedTensor::in";
    return StateAccess::make_from<UninitializedTensor>(
        [&] { return OwnerState::in(operation, domain, OwnerShape(operation, dtype, extents, place)); });
  }
  static UninitializedTensor in(const Pool& pool, DType dtype, AxisValues extents,
                                BorrowPlace place = BorrowPlace::here()) {
    return in("UninitializedTensor::in", pool, dtype, extents, place);
  }
  static UninitializedTensor on_host(DType dtype, AxisValues extents,
                                     BorrowPlace place = BorrowPlace::here()) {
    constexpr const char* operation = "UninitializedTensor::on_host";
    return StateAccess::make_from<UninitializedTensor>(
        [&] { return OwnerState::on_host(operation, OwnerShape(operation, dtype, extents, place)); });
  }

  // For the layers of Tenure that are built on this one: errors name `operation`.
  static UninitializedTensor in(const char* operation, const Pool& pool, DType dtype, AxisValues extents,
                                BorrowPlace place = {}) {
    return StateAccess::make_from<UninitializedTensor>(
        [&] { return OwnerState::in(operation, pool, OwnerShape(operation, dtype, extents, place)); });
  }

  // To write the elements through; what is read before it was written is unspecified.
  TensorViewMut as_view_mut(BorrowPlace place = BorrowPlace::here()) & TENURE_LIFETIME_BOUND {
    return StateAccess::make<TensorViewMut>(state_.lend(BorrowKind::exclusive, "as_view_mut", place));
  }
  TensorViewMut as_view_mut() const&& = delete;

  // The caller promises that every element has been written and that no view is left. A comment beside the
  // call says why it is so.
  Tensor assume_written() && { return StateAccess::make<Tensor>(state_.consume("assume_written")); }

 private:
  using Owner::Owner;
};
static_assert(sizeof(UninitializedTensor) == sizeof(OwnerState));

}  // namespace tenure::inline TENURE_BUILD
