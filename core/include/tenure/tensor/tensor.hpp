// SPDX-License-Identifier: Apache-2.0
// tensor: an owner of elements whose type is known at run time.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "tenure/layout/axis_values.hpp"
#include "tenure/memory/buffer_allocator.hpp"
#include "tenure/memory/data_ptr.hpp"
#include "tenure/tensor/lending_owner.hpp"
#include "tenure/tensor/owner_factory.hpp"
#include "tenure/tensor/reinterpretation.hpp"
#include "tenure/tensor/tensor_view.hpp"
#include "tenure/tensor/typed_tensor_view.hpp"

namespace tenure::inline TENURE_BUILD {

// May live anywhere. What it shares with all owners is in lending_owner.hpp and owner.hpp. A function that
// consumes a tensor leaves it whole when it throws.
class Tensor final : public LendingOwner<TensorView, TensorViewMut> {
 public:
  // The vector's elements, which lie with the first axis fastest, stay where they are; on failure the vector
  // is as it was. Throws ShapeDataLengthMismatch and what a bad shape throws: RankTooLarge, NegativeExtent,
  // IntegerOverflow.
  template <class T>
  static Tensor from_vec_col_major(AxisValues extents, std::vector<T>&& values,
                                   BorrowPlace place = BorrowPlace::here()) {
    return StateAccess::make_from<Tensor>(
        [&] { return OwnerFactory<T>::adopt(extents, dynamic_rank, std::move(values), place); });
  }
  // A named copy of elements that lie with the last axis fastest.
  template <class T, std::size_t Count>
  static Tensor from_vec_row_major(AxisValues extents, std::span<T, Count> values,
                                   BorrowPlace place = BorrowPlace::here()) {
    return StateAccess::make<Tensor>(
        OwnerFactory<std::remove_const_t<T>>::import(extents, dynamic_rank, values, place));
  }
  template <class T>
  static Tensor from_vec_row_major(AxisValues extents, const std::vector<T>& values,
                                   BorrowPlace place = BorrowPlace::here()) {
    static_assert(!std::is_same_v<T, bool>,
                  "std::vector<bool> packs its elements into bits; give boolean elements as a std::span.");
    return StateAccess::make<Tensor>(OwnerFactory<T>::import(extents, dynamic_rank, values, place));
  }
  template <class T>
  static Tensor from_vec_row_major(AxisValues extents, std::initializer_list<T> values,
                                   BorrowPlace place = BorrowPlace::here()) {
    return from_vec_row_major(extents, std::span<const T>(values.begin(), values.size()), place);
  }
  // Adopts at least as many bytes as the elements need, aligned for them; a bool must be 0 or 1. Throws
  // InvalidArgument, Misaligned, ShapeDataLengthMismatch; on failure `pointer` is as it was.
  static Tensor from_data_ptr(DType dtype, AxisValues extents, DataPtr&& pointer, std::size_t bytes,
                              BorrowPlace place = BorrowPlace::here()) {
    constexpr const char* operation = "from_data_ptr";
    return StateAccess::make<Tensor>(OwnerState::adopt(
        operation, OwnerShape(operation, dtype, extents, place), std::move(pointer), bytes));
  }
  // The same memory as storage of a domain, which gives it an identity: `bytes` that were made elsewhere,
  // used in place. Memory beside a tensor goes into that tensor's domain(). Throws what from_data_ptr throws,
  // MissingAllocationIdentity without a domain, and what AllocationDomain::import_memory throws.
  static Tensor import_into(const std::optional<AllocationDomain>& domain, DType dtype, AxisValues extents,
                            DataPtr&& pointer, std::size_t bytes, BorrowPlace place = BorrowPlace::here()) {
    constexpr const char* operation = "import_into";
    return StateAccess::make<Tensor>(OwnerState::import(
        operation, OwnerShape(operation, dtype, extents, place), domain, std::move(pointer), bytes));
  }
  // In the core's host memory. Throws OutOfMemory.
  static Tensor zeros(DType dtype, AxisValues extents, BorrowPlace place = BorrowPlace::here()) {
    return StateAccess::make<Tensor>(OwnerState::zeros(OwnerShape("zeros", dtype, extents, place)));
  }

  // With a static element type, and rank if one is given. Throw DTypeMismatch, RankMismatch; into_host also
  // AccessError when the host needs a map or a download to read.
  template <class T, int Rank = dynamic_rank>
  TypedTensor<T, Rank> into_typed() && {
    state_.require_type("into_typed", dtype_of<T>(), Rank);
    return StateAccess::make<TypedTensor<T, Rank>>(state_.consume("into_typed"));
  }
  template <class T, int Rank = dynamic_rank>
  HostTensor<T, Rank> into_host() && {
    state_.require_type("into_host", dtype_of<T>(), Rank);
    state_.host_address("into_host");
    return StateAccess::make<HostTensor<T, Rank>>(state_.consume("into_host"));
  }
  // The same allocation as other elements, see reinterpretation.hpp.
  Tensor into_real() && {
    read_as_real(state_);
    return StateAccess::make<Tensor>(std::move(state_));
  }
  Tensor into_complex() && {
    read_as_complex(state_);
    return StateAccess::make<Tensor>(std::move(state_));
  }
  Tensor into_bits(DType dtype) && {
    read_as_bits(state_, dtype);
    return StateAccess::make<Tensor>(std::move(state_));
  }
  // As TypedTensor's. Throw DTypeMismatch as well.
  template <class T>
  std::vector<T> into_vec_col_major() && {
    state_.require_type("into_vec_col_major", dtype_of<T>(), dynamic_rank);
    return OwnerFactory<T>::into_vec(state_);
  }
  template <class T>
  BufferVector<T> into_buffer_vector() && {
    state_.require_type("into_buffer_vector", dtype_of<T>(), dynamic_rank);
    return OwnerFactory<T>::into_buffer(state_);
  }
  template <class T>
  std::vector<T> to_vec_col_major(BorrowPlace place = BorrowPlace::here()) const {
    return OwnerFactory<T>::to_vec("to_vec_col_major", state_, &Layout::column_major, place);
  }
  template <class T>
  std::vector<T> to_vec_row_major(BorrowPlace place = BorrowPlace::here()) const {
    return OwnerFactory<T>::to_vec("to_vec_row_major", state_, &Layout::row_major, place);
  }

  // A named copy in the same domain.
  Tensor duplicate(BorrowPlace place = BorrowPlace::here()) const {
    return StateAccess::make<Tensor>(
        duplicate_elements("duplicate", state_.lend(BorrowKind::shared, "duplicate", place)));
  }

 private:
  using LendingOwner::LendingOwner;
};
static_assert(sizeof(Tensor) == sizeof(OwnerState) && sizeof(TensorView) == sizeof(ViewState) &&
              sizeof(TensorViewMut) == sizeof(ViewState));

}  // namespace tenure::inline TENURE_BUILD
