// SPDX-License-Identifier: Apache-2.0
// view_state: what every view is made of.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "tenure/base/validation_error.hpp"
#include "tenure/layout/dtype.hpp"
#include "tenure/layout/layout.hpp"
#include "tenure/memory/allocation_identity.hpp"
#include "tenure/memory/borrow.hpp"
#include "tenure/memory/host_access.hpp"

namespace tenure::inline TENURE_BUILD {

// Throws RankMismatch.
TENURE_API void require_rank(const char* operation, std::int64_t expected, std::int64_t actual,
                             RankRule rule);

// A typed reading of an allocation. Refers to the allocation and its record, never to the owner. Every
// element of the layout lies within the allocation. A moved-from state is empty.
class TENURE_API ViewState {
 public:
  // `address` is that of element 0, which the layout's offset counts from; null where the host needs a map.
  ViewState(std::byte* address, AllocationRecord* record, Layout&& layout, DType dtype,
            BorrowToken&& borrow = {}) noexcept
      : address_(address),
        record_(record),
        layout_(std::move(layout)),
        dtype_(dtype),
        borrow_(std::move(borrow)) {}
  // With the layout that `make_layout()` returns, which is made where it stays.
  template <std::invocable MakeLayout>
  ViewState(std::byte* address, AllocationRecord* record, const MakeLayout& make_layout, DType dtype,
            BorrowToken&& borrow)
      : address_(address),
        record_(record),
        layout_(make_layout()),
        dtype_(dtype),
        borrow_(std::move(borrow)) {}
  ViewState(const ViewState&) = default;
  ViewState& operator=(const ViewState& other) { return *this = ViewState(other); }
  ViewState(ViewState&& other) noexcept
      : address_(other.address_),
        record_(other.record_),
        layout_(std::move(other.layout_)),
        dtype_(other.dtype_),
        is_live_(std::exchange(other.is_live_, false)),
        borrow_(std::move(other.borrow_)) {}
  ViewState& operator=(ViewState&& other) noexcept;
  ~ViewState() = default;

  bool empty() const noexcept { return !is_live_; }
  // This state; throws EmptyOwner naming `operation` when it is empty.
  const ViewState& live(const char* operation) const {
    if (!is_live_) throw_empty(operation);
    borrow_.require_alive(operation);
    return *this;
  }
  // The same for a use of the elements: throws BorrowError when a child of a view that writes is alive.
  const ViewState& alone(const char* operation) const {
    live(operation);
    borrow_.require_alone(operation);
    return *this;
  }
  // The same elements as a child of this view. Throws EmptyOwner, BorrowError.
  ViewState lend(BorrowKind kind, const char* operation, BorrowPlace place = {}) const {
    const auto make_layout = [this] { return layout_; };
    return {live(operation).address_, record_, make_layout, dtype_, borrow_.lend(kind, place.by(operation))};
  }

  std::byte* address() const noexcept { return address_; }
  AllocationRecord* record() const noexcept { return record_; }
  const Layout& layout() const noexcept { return layout_; }
  DType dtype() const noexcept { return dtype_; }
  AllocationPlace place() const noexcept { return {address_, record_}; }

  // Of element 0; may be null when there are no elements. Throws EmptyOwner; AccessError
  // (not_host_accessible) when there are some.
  std::byte* host_address(const char* operation) const {
    alone(operation);
    if (address_ != nullptr || layout_.is_empty()) return address_;
    return require_host_address(operation, address_, record_);
  }
  // The first of the elements when they lie in one run with the first axis fastest; throws NotCompact when
  // they do not.
  std::byte* compact_host_address(const char* operation) const;
  void require_compact(const char* operation) const;
  // Throws DTypeMismatch; RankMismatch, unless `rank` is negative.
  void require_type(const char* operation, DType dtype, std::int64_t rank) const;

  // Children, where this view writes.
  ViewState with_layout(Layout&& layout) const {
    return {address_, record_, std::move(layout), dtype_, BorrowToken(borrow_)};
  }
  template <std::invocable MakeLayout>
  ViewState with_layout(const MakeLayout& make_layout) const {
    return {address_, record_, make_layout, dtype_, BorrowToken(borrow_)};
  }
  // Not a child, but beside this view that writes, under the same parent; the two share no element.
  ViewState beside(Layout&& layout) const {
    return {address_, record_, std::move(layout), dtype_, borrow_.beside()};
  }
  ViewState&& at_address(std::byte* address) && noexcept {
    address_ = address;
    return std::move(*this);
  }
  // The same bytes as the parts of complex elements, and back. Throws UnsupportedReinterpretation and what
  // Layout::as_complex throws.
  ViewState as_real() const;
  ViewState as_complex() const;
  // The same bytes as elements of any dtype; see bit_cast_layout. Throws UnsupportedReinterpretation, also
  // when bool elements would be written as others; Misaligned. Not inline: the compiler must not move reads
  // of one type across writes of the other.
  ViewState as_bits(DType dtype, std::int64_t axis, bool is_written) const;

 private:
  [[noreturn]] static void throw_empty(const char* operation);

  std::byte* address_;
  AllocationRecord* record_;
  Layout layout_;
  DType dtype_;
  bool is_live_ = true;
  [[no_unique_address]] BorrowToken borrow_;
};
static_assert(sizeof(ViewState) <= 160);

}  // namespace tenure::inline TENURE_BUILD
