// SPDX-License-Identifier: Apache-2.0
// tensor_view: borrowed readings of elements whose type is known at run time.
#pragma once

#include "tenure/layout/dtype.hpp"
#include "tenure/tensor/host_guard.hpp"
#include "tenure/tensor/view_transforms.hpp"

namespace tenure::inline TENURE_BUILD {

// Reads elements of an owner. Copyable.
class TensorView final : public ViewTransforms<TensorView> {
 public:
  // With a static element type, and rank if one is given. Throws DTypeMismatch, RankMismatch.
  template <class T, int Rank = dynamic_rank>
  TypedTensorView<T, Rank> as_typed() const {
    state_.require_type("as_typed", dtype_of<T>(), Rank);
    return StateAccess::make<TypedTensorView<T, Rank>>(ViewState(state_));
  }

  // For as long as the guard lives the host may read; see StorageMap.
  HostReadGuard<TensorView> map_read(BorrowPlace place = BorrowPlace::here()) const {
    return HostReadGuard<TensorView>("map_read", state_, place);
  }

  // Named copies; see element_copy.hpp.
  TENURE_API Tensor duplicate() const;
  TENURE_API Tensor to_col_major() const;

 private:
  using ViewTransforms::ViewTransforms;
};

// Writes elements of an owner, alone: no two indices share an element. Moves, never copies; a const one still
// writes, as std::span does.
class TensorViewMut final : public ViewTransforms<TensorViewMut> {
 public:
  TensorViewMut(TensorViewMut&&) noexcept = default;
  TensorViewMut& operator=(TensorViewMut&&) noexcept = default;

  // A child that must end before this view is used again.
  TensorViewMut reborrow(BorrowPlace place = BorrowPlace::here()) const {
    return StateAccess::make<TensorViewMut>(state_.lend(BorrowKind::exclusive, "reborrow", place));
  }
  // A child that reads.
  TensorView as_read(BorrowPlace place = BorrowPlace::here()) const {
    return StateAccess::make<TensorView>(state_.lend(BorrowKind::shared, "as_read", place));
  }
  // A child with a static element type, and rank if one is given. Throws DTypeMismatch, RankMismatch.
  template <class T, int Rank = dynamic_rank>
  TypedTensorViewMut<T, Rank> as_typed() const {
    state_.require_type("as_typed", dtype_of<T>(), Rank);
    return StateAccess::make<TypedTensorViewMut<T, Rank>>(ViewState(state_));
  }

  // For as long as the guard lives only the host may use the memory; see StorageMap.
  HostWriteGuard<TensorViewMut> map_write(BorrowPlace place = BorrowPlace::here()) const {
    return HostWriteGuard<TensorViewMut>("map_write", state_, place);
  }

 private:
  using ViewTransforms::ViewTransforms;
};

}  // namespace tenure::inline TENURE_BUILD
