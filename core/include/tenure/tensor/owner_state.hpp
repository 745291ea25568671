// SPDX-License-Identifier: Apache-2.0
// owner_state: what every owner is made of.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "tenure/layout/axis_storage.hpp"
#include "tenure/layout/axis_values.hpp"
#include "tenure/layout/dtype.hpp"
#include "tenure/memory/borrow.hpp"
#include "tenure/memory/pool.hpp"
#include "tenure/memory/storage.hpp"
#include "tenure/tensor/view_state.hpp"

namespace tenure::inline TENURE_BUILD {

// Extents of a compact column-major owner and the bytes that its elements need, checked. It needs no storage:
// it is what must be right before an argument may be consumed.
struct TENURE_API OwnerShape {
  DType dtype;
  std::int64_t element_count;
  std::size_t bytes;
  AxisStorage<1> axes;
  [[no_unique_address]] BorrowPlace made;  // where the owner is, by the operation

  // `place` is where the operation was called. Throws RankMismatch, unless `rank` is negative; RankTooLarge,
  // NegativeExtent, IntegerOverflow.
  OwnerShape(const char* operation, DType dtype_of_elements, AxisValues extents_of_owner,
             BorrowPlace place = {}, std::int64_t rank = -1);
  // Throws ShapeDataLengthMismatch.
  void require_count(const char* operation, std::size_t value_count) const {
    if (value_count != static_cast<std::size_t>(element_count)) throw_count(operation, value_count);
  }

 private:
  [[noreturn]] void throw_count(const char* operation, std::size_t value_count) const;
};

// A storage and how it is read: compact, the first axis fastest, from its first byte. A moved-from state is
// empty.
class TENURE_API OwnerState {
 public:
  // `storage` has exactly shape.bytes. Counts the owner in the ledger.
  OwnerState(OwnerShape&& shape, Storage&& storage) noexcept
      : OwnerState(std::move(shape), [&]() noexcept { return std::move(storage); }) {}
  // With the storage that `make_storage()` returns, which is made where it stays; when it throws, `shape` is
  // as it was.
  template <std::invocable MakeStorage>
  OwnerState(OwnerShape&& shape, const MakeStorage& make_storage) noexcept(noexcept(make_storage()))
      : storage_(make_storage()), axes_(std::move(shape.axes)), dtype_(shape.dtype), borrows_(shape.made) {
    count();
  }
  // The same for a storage that comes out of a group, with the borrow that went in; it was counted before.
  OwnerState(OwnerShape&& shape, Storage&& storage, OwnerBorrow&& borrows) noexcept;
  OwnerState(OwnerState&& other) noexcept
      : storage_(std::move(other.storage_)),
        axes_(std::move(other.axes_)),
        dtype_(other.dtype_),
        is_live_(std::exchange(other.is_live_, false)),
        borrows_(std::move(other.borrows_)) {}
  OwnerState& operator=(OwnerState&& other) noexcept;
  ~OwnerState() = default;

  // Uninitialised elements: in the core's host memory, in a domain, from a pool. Throw OutOfMemory,
  // ProviderError.
  static OwnerState on_host(const char* operation, OwnerShape&& shape);
  static OwnerState in(const char* operation, const AllocationDomain& domain, OwnerShape&& shape);
  static OwnerState in(const char* operation, const Pool& pool, OwnerShape&& shape);
  // Zeros in the core's host memory.
  static OwnerState zeros(OwnerShape&& shape);
  // Adopted memory of at least shape.bytes. Throws InvalidArgument, Misaligned, ShapeDataLengthMismatch, and
  // then `pointer` is as it was.
  static OwnerState adopt(const char* operation, OwnerShape&& shape, DataPtr&& pointer, std::size_t bytes);
  // The same memory as storage of a domain; see AllocationDomain::import_memory. Throws
  // MissingAllocationIdentity without a domain.
  static OwnerState import(const char* operation, OwnerShape&& shape,
                           const std::optional<AllocationDomain>& domain, DataPtr&& pointer,
                           std::size_t bytes);

  bool empty() const noexcept { return !is_live_; }
  // This state; throws EmptyOwner naming `operation` when it is empty.
  const OwnerState& live(const char* operation) const {
    if (!is_live_) throw_empty(operation);
    return *this;
  }

  const Storage& storage() const noexcept { return storage_; }
  Storage& storage() noexcept { return storage_; }
  OwnerBorrow& borrows() noexcept { return borrows_; }
  std::span<const std::int64_t> extents() const noexcept {
    return {axes_.extents(), static_cast<std::size_t>(axes_.rank())};
  }
  // The extents of an owner of this rank.
  const std::int64_t* extents_of_rank(std::int64_t rank) const noexcept {
    return axes_.extents_of_rank(rank);
  }
  DType dtype() const noexcept { return dtype_; }
  Layout layout() const { return Layout::column_major_of_checked(extents()); }
  // All elements, borrowed. Throws EmptyOwner, BorrowError.
  ViewState lend(BorrowKind kind, const char* operation, BorrowPlace place = {}) const {
    const auto make_layout = [this] { return layout(); };
    return {live(operation).storage_.address(), storage_.record(), make_layout, dtype_,
            borrows_.lend(kind, place.by(operation))};
  }
  // All elements, for a use that ends before anybody else can reach this state: not tracked as a borrow.
  ViewState view() const { return {storage_.address(), storage_.record(), layout(), dtype_}; }
  AllocationPlace place() const noexcept { return {storage_.address(), storage_.record()}; }

  // Throws EmptyOwner; AccessError (not_host_accessible).
  std::byte* host_address(const char* operation) const {
    if (storage_.address() != nullptr) return storage_.address();
    return require_host_address(operation, nullptr, live(operation).storage_.record());
  }
  // Throws EmptyOwner; DTypeMismatch; RankMismatch, unless `rank` is negative.
  void require_type(const char* operation, DType dtype, std::int64_t rank) const;
  // The same bytes as other elements; `shape` has as many bytes and fits their alignment.
  void read_as(OwnerShape&& shape) noexcept {
    axes_ = std::move(shape.axes);
    dtype_ = shape.dtype;
  }
  // For what takes the bytes out of the tensor. Throws EmptyOwner; AccessError (not_host_accessible, mapped).
  void require_extractable(const char* operation) const;
  // This state, about to be moved into what becomes of it. Throws EmptyOwner, BorrowError.
  OwnerState&& consume(const char* operation) {
    require_unborrowed(operation);
    return std::move(*this);
  }
  // The vector that the bytes came as, when storage().holds_vector_of<T>(); this state is empty afterwards.
  // Throws BorrowError.
  template <class T>
  std::vector<T> consume_vector(const char* operation) {
    require_unborrowed(operation);
    is_live_ = false;
    return storage_.take_vector<T>();
  }
  // Throws EmptyOwner, BorrowError.
  void require_unborrowed(const char* operation) const { live(operation).borrows_.require_free(operation); }
  // Says why the bytes are not the std::vector that was asked for.
  [[noreturn]] void throw_not_vector(const char* operation, DType dtype) const;

 private:
  static void count() noexcept;
  [[noreturn]] static void throw_empty(const char* operation);

  Storage storage_;
  AxisStorage<1> axes_;
  DType dtype_;
  bool is_live_ = true;
  [[no_unique_address]] OwnerBorrow borrows_;
};
static_assert(sizeof(OwnerState) <= 160);

}  // namespace tenure::inline TENURE_BUILD
