// SPDX-License-Identifier: Apache-2.0
#include "tenure/tensor/view_state.hpp"

#include <string>
#include <vector>

#include "tenure/base/empty_owner.hpp"
#include "tenure/base/validation_error.hpp"
#include "tenure/layout/reinterpretation.hpp"

namespace tenure::inline TENURE_BUILD {
namespace {

[[noreturn]] void throw_unsupported(const char* operation, DType from, const char* to) {
  throw ValidationError(operation, UnsupportedReinterpretation{std::string(from.name()), to});
}

DType real_of(DType dtype) {
  if (dtype == complex64) return f32;
  if (dtype == complex128) return f64;
  throw_unsupported("as_real", dtype, "the parts of a complex dtype");
}

DType complex_of(DType dtype) {
  if (dtype == f32) return complex64;
  if (dtype == f64) return complex128;
  throw_unsupported("as_complex", dtype, "a complex dtype with such parts");
}

}  // namespace

void require_rank(const char* operation, std::int64_t expected, std::int64_t actual) {
  if (expected != actual) throw ValidationError(operation, RankMismatch{expected, actual});
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
  if (rank >= 0) require_rank(operation, rank, layout_.rank());
}

ViewState ViewState::as_real() const {
  const DType real = real_of(dtype_);
  return {address_, record_, reinterpret_layout(layout_, dtype_, real), real, BorrowToken(borrow_)};
}

ViewState ViewState::as_complex() const {
  const DType complex = complex_of(dtype_);
  return {address_, record_, reinterpret_layout(layout_, dtype_, complex), complex, BorrowToken(borrow_)};
}

void ViewState::throw_empty(const char* operation) { throw EmptyOwner(operation); }

}  // namespace tenure::inline TENURE_BUILD
