// SPDX-License-Identifier: Apache-2.0
// typed_owner: what owners of elements of a known type do, wherever the elements live.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

#include "tenure/layout/axis_values.hpp"
#include "tenure/memory/buffer_allocator.hpp"
#include "tenure/tensor/index_values.hpp"
#include "tenure/tensor/lending_owner.hpp"
#include "tenure/tensor/owner_factory.hpp"
#include "tenure/tensor/reinterpretation.hpp"
#include "tenure/tensor/tensor.hpp"
#include "tenure/tensor/typed_tensor_view.hpp"

namespace tenure::inline TENURE_BUILD {

namespace detail {

// The same kind of owner with other elements.
template <class Owner, class U, int N>
struct OtherElements;
template <template <class, int> class Owner, class T, int Rank, class U, int N>
struct OtherElements<Owner<T, Rank>, U, N> {
  using type = Owner<U, N>;
};

}  // namespace detail

// Base of TypedTensor and HostTensor. A function that consumes a tensor leaves it whole when it throws.
template <class Derived, class T, int Rank>
class TypedOwner : public LendingOwner<TypedTensorView<T, Rank>, TypedTensorViewMut<T, Rank>> {
  using Base = LendingOwner<TypedTensorView<T, Rank>, TypedTensorViewMut<T, Rank>>;
  static_assert((dtype_of<T>(), true));  // which says what an element may be
  using Factory = OwnerFactory<T>;
  using Pair = detail::ComplexPair<T>;
  template <class U, int N>
  using Other = typename detail::OtherElements<Derived, U, N>::type;

 public:
  using value_type = T;

  // The vector's elements, which lie with the first axis fastest, stay where they are; on failure the vector
  // is as it was. Throws ShapeDataLengthMismatch and what a bad shape throws: RankMismatch, RankTooLarge,
  // NegativeExtent, IntegerOverflow.
  static Derived from_vec_col_major(AxisValues extents, std::vector<T>&& values,
                                    BorrowPlace place = BorrowPlace::here()) {
    return StateAccess::make_from<Derived>(
        [&] { return Factory::adopt(extents, Rank, std::move(values), place); });
  }
  // A named copy of elements that lie with the last axis fastest.
  static Derived from_vec_row_major(AxisValues extents, std::span<const T> values,
                                    BorrowPlace place = BorrowPlace::here()) {
    return make(Factory::import(extents, Rank, values, place));
  }
  static Derived from_vec_row_major(AxisValues extents, std::initializer_list<T> values,
                                    BorrowPlace place = BorrowPlace::here()) {
    return from_vec_row_major(extents, std::span<const T>(values.begin(), values.size()), place);
  }
  template <class Allocator>
  static void from_vec_row_major(AxisValues, const std::vector<bool, Allocator>&) {
    static_assert(std::is_void_v<Allocator>,
                  "std::vector<bool> packs its elements into bits; give boolean elements as a std::span.");
  }
  // Adopts at least as many bytes as the elements need, aligned for them; a bool must be 0 or 1. Throws
  // InvalidArgument, Misaligned, ShapeDataLengthMismatch; on failure `pointer` is as it was.
  static Derived from_data_ptr(AxisValues extents, DataPtr&& pointer, std::size_t bytes,
                               BorrowPlace place = BorrowPlace::here()) {
    constexpr const char* operation = "from_data_ptr";
    return make(OwnerState::adopt(operation, OwnerShape(operation, Factory::dtype, extents, place, Rank),
                                  std::move(pointer), bytes));
  }
  // In the core's host memory. Throws OutOfMemory.
  static Derived zeros(AxisValues extents, BorrowPlace place = BorrowPlace::here()) {
    return make(OwnerState::zeros(OwnerShape("zeros", Factory::dtype, extents, place, Rank)));
  }
  static Derived filled(AxisValues extents, T value, BorrowPlace place = BorrowPlace::here()) {
    return make(Factory::filled(extents, Rank, value, place));
  }

  // All elements, the first axis fastest. Throw AccessError (not_host_accessible), which a HostTensor never
  // does.
  std::span<const T> host_data() const& TENURE_LIFETIME_BOUND {
    return {elements("host_data"), state_.storage().bytes() / sizeof(T)};
  }
  std::span<T> host_data_mut() & TENURE_LIFETIME_BOUND {
    return {elements("host_data_mut"), state_.storage().bytes() / sizeof(T)};
  }
  std::span<const T> host_data() const&& = delete;
  std::span<T> host_data_mut() const&& = delete;

  // One element. operator() is unchecked in a release build and as at() in a checked one. at() throws
  // RankMismatch, IndexOutOfBounds, AccessError (not_host_accessible). get() and get_mut() are null for an
  // index that is not one of this tensor and throw AccessError.
  template <std::integral... Index>
  const T& operator()(Index... index) const TENURE_LIFETIME_BOUND {
    return *element(index...);
  }
  template <std::integral... Index>
  T& operator()(Index... index) TENURE_LIFETIME_BOUND {
    return *element(index...);
  }
  template <std::integral... Index>
  const T& at(Index... index) const TENURE_LIFETIME_BOUND {
    return *checked_element(index...);
  }
  template <std::integral... Index>
  T& at(Index... index) TENURE_LIFETIME_BOUND {
    return *checked_element(index...);
  }
  const T* get(AxisValues index) const& TENURE_LIFETIME_BOUND { return find("get", index); }
  T* get_mut(AxisValues index) & TENURE_LIFETIME_BOUND { return find("get_mut", index); }
  const T* get(AxisValues) const&& = delete;
  T* get_mut(AxisValues) const&& = delete;

  // The very vector that was adopted. Throws AccessError (not_a_vector, dtype_mismatch) for bytes that came
  // otherwise, and names to_vec_col_major and into_buffer_vector.
  std::vector<T> into_vec_col_major() && { return Factory::into_vec(state_); }
  // The bytes as a vector that gives them back where they came from, without a copy; one heap block. A pooled
  // block leaves its pool for good. Throws AccessError (not_host_accessible, mapped).
  BufferVector<T> into_buffer_vector() && { return Factory::into_buffer(state_); }
  // Named copies.
  std::vector<T> to_vec_col_major(BorrowPlace place = BorrowPlace::here()) const {
    return Factory::to_vec("to_vec_col_major", state_, &Layout::column_major, place);
  }
  std::vector<T> to_vec_row_major(BorrowPlace place = BorrowPlace::here()) const {
    return Factory::to_vec("to_vec_row_major", state_, &Layout::row_major, place);
  }

  // The same allocation as other elements, see reinterpretation.hpp; on failure the tensor is whole. Its
  // bytes leave it as a vector of their new type by into_buffer_vector() only.
  Other<typename Pair::RealType, rank_plus(Rank, 1)> into_real() &&
      requires(!std::is_void_v<typename Pair::RealType>) {
    read_as_real(state_);
    return StateAccess::make<Other<typename Pair::RealType, rank_plus(Rank, 1)>>(std::move(state_));
  }
  Other<typename Pair::ComplexType, rank_plus(Rank, -1)> into_complex() &&
      requires(!std::is_void_v<typename Pair::ComplexType> && Rank != 0) {
    read_as_complex(state_);
    return StateAccess::make<Other<typename Pair::ComplexType, rank_plus(Rank, -1)>>(std::move(state_));
  }
  template <class U>
  Other<U, Rank> into_bits() && {
    static_assert(std::is_same_v<U, T> || !std::is_same_v<U, bool>,
                  "A bool is 0 or 1, which other bytes need not be; compare with zero instead.");
    read_as_bits(state_, dtype_of<U>());
    return StateAccess::make<Other<U, Rank>>(std::move(state_));
  }

  // Without the static element type and rank.
  Tensor into_dynamic() && { return StateAccess::make<Tensor>(state_.consume("into_dynamic")); }

 protected:
  using Base::Base;
  using Base::state_;

  static Derived make(OwnerState&& state) noexcept { return StateAccess::make<Derived>(std::move(state)); }

 private:
  friend struct StateAccess;

  T* elements(const char* operation) const { return reinterpret_cast<T*>(state_.host_address(operation)); }
  T* find(const char* operation, AxisValues index) const {
    T* const first = elements(operation);
    const auto at = state_.layout().find_element(index);
    return at ? first + *at : nullptr;
  }
  template <class... Index>
  T* checked_element(Index... index) const {
    const std::int64_t element = element_at<Rank>(state_.live("at").layout(), index...);
    return elements("at") + element;
  }
  template <class... Index>
  T* element(Index... index) const {
    if constexpr (TENURE_CHECKED) {
      return checked_element(index...);
    } else {
      const auto values = index_values<Rank>(index...);
      const std::int64_t* const extents = state_.extents_of_rank(sizeof...(Index));
      std::int64_t stride = 1;
      std::int64_t offset = 0;
      for (std::size_t axis = 0; axis < values.size(); ++axis) {
        offset += values[axis] * stride;
        stride *= extents[axis];
      }
      return reinterpret_cast<T*>(state_.storage().address()) + offset;
    }
  }
};

}  // namespace tenure::inline TENURE_BUILD
