// SPDX-License-Identifier: Apache-2.0
// typed_tensor_view: borrowed readings of elements of a known type.
#pragma once

#include <span>
#include <vector>

#include "tenure/tensor/element_copy.hpp"
#include "tenure/tensor/host_guard.hpp"
#include "tenure/tensor/owner_factory.hpp"
#include "tenure/tensor/tensor_view.hpp"
#include "tenure/tensor/typed_view.hpp"

namespace tenure::inline TENURE_BUILD {

// Reads elements of an owner. Copyable. `Rank` is the number of axes, or dynamic_rank.
template <class T, int Rank>
class TypedTensorView final : public TypedView<TypedTensorView<T, Rank>, const T> {
  using Base = TypedView<TypedTensorView<T, Rank>, const T>;
  static_assert(ElementType<T>);

 public:
  // Without the static element type and rank.
  TensorView as_dynamic() const {
    return StateAccess::make<TensorView>(ViewState(this->state_.live("as_dynamic")));
  }
  // Throws RankMismatch.
  template <int N>
  TypedTensorView<T, N> as_rank() const {
    this->state_.require_type("as_rank", dtype_of<T>(), N);
    return StateAccess::make<TypedTensorView<T, N>>(ViewState(this->state_));
  }

  // For as long as the guard lives the host may read; see StorageMap.
  HostReadGuard<TypedTensorView> map_read(BorrowPlace place = BorrowPlace::here()) const {
    return HostReadGuard<TypedTensorView>("map_read", this->state_, place);
  }

  // Named copies; see element_copy.hpp.
  TypedTensor<T, Rank> duplicate() const { return owner(duplicate_elements("duplicate", this->state_)); }
  TypedTensor<T, Rank> to_col_major() const { return owner(compact_elements("to_col_major", this->state_)); }
  std::vector<T> to_vec_col_major() const { return to_vec("to_vec_col_major", &Layout::column_major); }
  std::vector<T> to_vec_row_major() const { return to_vec("to_vec_row_major", &Layout::row_major); }

 private:
  using Base::Base;

  static TypedTensor<T, Rank> owner(OwnerState&& state) {
    return StateAccess::make<TypedTensor<T, Rank>>(std::move(state));
  }
  std::vector<T> to_vec(const char* operation, Layout (*order)(AxisValues)) const {
    return OwnerFactory<T>::to_vec(operation, this->state_, order);
  }
};

// Reads and writes elements of an owner, alone: no two indices share an element. Moves, never copies; a const
// one still writes, as std::span does.
template <class T, int Rank>
class TypedTensorViewMut final : public TypedView<TypedTensorViewMut<T, Rank>, T> {
  using Base = TypedView<TypedTensorViewMut<T, Rank>, T>;
  static_assert(ElementType<T>);

 public:
  TypedTensorViewMut(TypedTensorViewMut&&) noexcept = default;
  TypedTensorViewMut& operator=(TypedTensorViewMut&&) noexcept = default;

  // A child that must end before this view is used again.
  TypedTensorViewMut reborrow(BorrowPlace place = BorrowPlace::here()) const {
    return StateAccess::make<TypedTensorViewMut>(this->state_.lend(BorrowKind::exclusive, "reborrow", place));
  }
  // Children that read, that have no static element type and rank, that have another static rank.
  TypedTensorView<T, Rank> as_read(BorrowPlace place = BorrowPlace::here()) const {
    return StateAccess::make<TypedTensorView<T, Rank>>(
        this->state_.lend(BorrowKind::shared, "as_read", place));
  }
  TensorViewMut as_dynamic() const { return child<TensorViewMut>("as_dynamic"); }
  // Throws RankMismatch.
  template <int N>
  TypedTensorViewMut<T, N> as_rank() const {
    this->state_.require_type("as_rank", dtype_of<T>(), N);
    return child<TypedTensorViewMut<T, N>>("as_rank");
  }

  // As get() and host_data().
  T* get_mut(AxisValues index) const { return this->find("get_mut", index); }
  std::span<T> host_data_mut() const { return this->run("host_data_mut"); }

  // For as long as the guard lives only the host may use the memory; see StorageMap.
  HostWriteGuard<TypedTensorViewMut> map_write(BorrowPlace place = BorrowPlace::here()) const {
    return HostWriteGuard<TypedTensorViewMut>("map_write", this->state_, place);
  }

 private:
  using Base::Base;

  template <class Child>
  Child child(const char* operation) const {
    return StateAccess::make<Child>(ViewState(this->state_.alone(operation)));
  }
};

}  // namespace tenure::inline TENURE_BUILD
