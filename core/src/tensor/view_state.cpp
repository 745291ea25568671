// SPDX-License-Identifier: Apache-2.0
#include "tenure/tensor/view_state.hpp"

#include <string>
#include <vector>

#include "tensor/alignment.hpp"
#include "tensor/complex_parts.hpp"
#include "tenure/base/empty_owner.hpp"
#include "tenure/base/validation_error.hpp"
#include "tenure/layout/reinterpretation.hpp"

namespace tenure::inline TENURE_BUILD {
void require_rank(const char* operation, std::int64_t expected, std::int64_t actual, RankRule rule) {
  if (expected != actual) throw ValidationError(operation, RankMismatch{expected, actual, rule});
}

ViewState& ViewState::operator=(ViewState&& other) noexcept {
  if (this != &other) {
    address_ = other.address_;
    record_ = other.record_;
    layout_ = std::move(other.layout_);
    dtype_ = other.dtype_;
    is_live_ = std::exchange(other.is_live_, false);
    borrow_ = std::move(other.borrow_);
  }
  return *this;
}

std::byte* ViewState::compact_host_address(const char* operation) const {
  std::byte* const first = host_address(operation);
  require_compact(operation);
  return first == nullptr ? nullptr : first + static_cast<std::size_t>(layout_.offset()) * dtype_.bytes();
}

void ViewState::require_compact(const char* operation) const {
  live(operation);
  if (layout_.is_column_major()) return;
  const auto extents = layout_.extents();
  const auto strides = layout_.strides();
  throw ValidationError(operation,
                        NotCompact{{extents.begin(), extents.end()}, {strides.begin(), strides.end()}});
}

void ViewState::require_type(const char* operation, DType dtype, std::int64_t rank) const {
  alone(operation);
  if (dtype_ != dtype) {
    throw ValidationError(operation, DTypeMismatch{std::string(dtype.name()), std::string(dtype_.name())});
  }
  if (rank >= 0) require_rank(operation, rank, layout_.rank(), RankRule::type);
}

ViewState ViewState::as_real() const {
  const DType real = part_dtype("as_real", dtype_);
  return {address_, record_, reinterpret_layout(layout_, dtype_, real), real, BorrowToken(borrow_)};
}

ViewState ViewState::as_complex() const {
  const DType complex = complex_dtype("as_complex", dtype_);
  return {address_, record_, reinterpret_layout(layout_, dtype_, complex), complex, BorrowToken(borrow_)};
}

ViewState ViewState::as_bits(DType dtype, std::int64_t axis, bool is_written) const {
  constexpr const char* operation = "as_bits";
  if (is_written && dtype_.is_boolean() && !dtype.is_boolean()) {
    throw ValidationError(
        operation, UnsupportedReinterpretation{std::string(dtype_.name()), "elements that may be written"});
  }
  Layout layout = bit_cast_layout(layout_, dtype_, dtype, axis);
  if (!layout.is_empty()) require_aligned(operation, address_, record_, dtype);
  return {address_, record_, std::move(layout), dtype, BorrowToken(borrow_)};
}

void ViewState::throw_empty(const char* operation) { throw EmptyOwner(operation); }

}  // namespace tenure::inline TENURE_BUILD
