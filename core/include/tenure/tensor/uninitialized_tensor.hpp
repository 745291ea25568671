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
  static UninitializedTensor in(const AllocationDomain& domain, DType dtype, AxisValues extents) {
    return UninitializedTensor(OwnerState::in("UninitializedTensor::in", domain,
                                              OwnerShape("UninitializedTensor::in", dtype, extents)));
  }
  static UninitializedTensor in(const Pool& pool, DType dtype, AxisValues extents) {
    return in("UninitializedTensor::in", pool, dtype, extents);
  }
  static UninitializedTensor on_host(DType dtype, AxisValues extents) {
    return UninitializedTensor(OwnerState::on_host(
        "UninitializedTensor::on_host", OwnerShape("UninitializedTensor::on_host", dtype, extents)));
  }

  // For the layers of Tenure that are built on this one: errors name `operation`.
  static UninitializedTensor in(const char* operation, const Pool& pool, DType dtype, AxisValues extents) {
    return UninitializedTensor(OwnerState::in(operation, pool, OwnerShape(operation, dtype, extents)));
  }

  // To write the elements through; what is read before it was written is unspecified.
  TensorViewMut as_view_mut() & TENURE_LIFETIME_BOUND {
    return StateAccess::make<TensorViewMut>(state_.live("as_view_mut").view());
  }
  TensorViewMut as_view_mut() const&& = delete;

  // The caller promises that every element has been written and that no view is left. A comment beside the
  // call says why it is so.
  Tensor assume_written() && {
    state_.live("assume_written");
    return StateAccess::make<Tensor>(std::move(state_));
  }

 private:
  friend struct StateAccess;
  explicit UninitializedTensor(OwnerState&& state) noexcept : Owner(std::move(state)) {}
};
static_assert(sizeof(UninitializedTensor) == sizeof(OwnerState));

}  // namespace tenure::inline TENURE_BUILD
