// SPDX-License-Identifier: Apache-2.0
// view_state: what every view is made of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "tenure/layout/dtype.hpp"
#include "tenure/layout/layout.hpp"
#include "tenure/memory/allocation_identity.hpp"
#include "tenure/memory/host_access.hpp"

namespace tenure::inline TENURE_BUILD {

// Throws RankMismatch.
TENURE_API void require_rank(const char* operation, std::int64_t expected, std::int64_t actual);

// A typed reading of an allocation. Refers to the allocation and its record, never to the owner. Every
// element of the layout lies within the allocation. A moved-from state is empty.
class TENURE_API ViewState {
 public:
  // `address` is that of element 0, which the layout's offset counts from; null where the host needs a map.
  ViewState(std::byte* address, AllocationRecord* record, Layout&& layout, DType dtype) noexcept
      : address_(address), record_(record), layout_(std::move(layout)), dtype_(dtype) {}
  ViewState(const ViewState&) = default;
  ViewState& operator=(const ViewState&) = default;
  ViewState(ViewState&& other) noexcept
      : address_(other.address_),
        record_(other.record_),
        layout_(std::move(other.layout_)),
        dtype_(other.dtype_),
        is_live_(std::exchange(other.is_live_, false)) {}
  ViewState& operator=(ViewState&& other) noexcept;
  ~ViewState() = default;

  bool empty() const noexcept { return !is_live_; }
  // This state; throws EmptyOwner naming `operation` when it is empty.
  const ViewState& live(const char* operation) const {
    if (!is_live_) throw_empty(operation);
    return *this;
  }

  std::byte* address() const noexcept { return address_; }
  AllocationRecord* record() const noexcept { return record_; }
  const Layout& layout() const noexcept { return layout_; }
  DType dtype() const noexcept { return dtype_; }
  AllocationPlace place() const noexcept { return {address_, record_}; }

  // Of element 0; may be null when there are no elements. Throws EmptyOwner; AccessError
  // (not_host_accessible) when there are some.
  std::byte* host_address(const char* operation) const {
    live(operation);
    if (address_ != nullptr || layout_.is_empty()) return address_;
    return require_host_address(operation, address_, record_);
  }
  // The first of the elements when they lie in one run with the first axis fastest; throws NotCompact when
  // they do not.
  std::byte* compact_host_address(const char* operation) const;
  void require_compact(const char* operation) const;
  // Throws DTypeMismatch; RankMismatch, unless `rank` is negative.
  void require_type(const char* operation, DType dtype, std::int64_t rank) const;

  ViewState with_layout(Layout&& layout) const noexcept {
    return {address_, record_, std::move(layout), dtype_};
  }
  ViewState with_address(std::byte* address) const { return {address, record_, Layout(layout_), dtype_}; }
  // The same bytes as the parts of complex elements, and back. Throws UnsupportedReinterpretation and what
  // Layout::as_complex throws.
  ViewState as_real() const;
  ViewState as_complex() const;

 private:
  [[noreturn]] static void throw_empty(const char* operation);

  std::byte* address_;
  AllocationRecord* record_;
  Layout layout_;
  DType dtype_;
  bool is_live_ = true;
};
static_assert(sizeof(ViewState) <= 160);

}  // namespace tenure::inline TENURE_BUILD
