// SPDX-License-Identifier: Apache-2.0
#include "tenure/layout/reinterpretation.hpp"

#include <array>
#include <span>
#include <string>

#include "layout/complex_dtype.hpp"
#include "layout/extents.hpp"
#include "tenure/abi/checked_math.hpp"
#include "tenure/base/validation_error.hpp"

namespace tenure::inline TENURE_BUILD {

namespace {

std::int64_t times(const char* operation, std::int64_t value, std::int64_t parts, const char* what) {
  std::int64_t result = 0;
  if (!abi::checked_multiply(value, parts, result)) throw ValidationError(operation, IntegerOverflow{what});
  return result;
}

std::int64_t divided(const char* operation, std::int64_t value, std::int64_t parts, const char* what) {
  if (value % parts != 0) {
    throw ValidationError(
        operation, InvalidArgument{"layout", std::string("the ") + what + " must be a multiple of " +
                                                 std::to_string(parts) + ", found " + std::to_string(value) +
                                                 "; so many elements make one of the new ones"});
  }
  return value / parts;
}

void require_unit_stride(const char* operation, const Layout& layout, std::int64_t axis) {
  if (layout.stride(axis) == 1) return;
  throw ValidationError(
      operation,
      InvalidArgument{"axis", "the elements must lie side by side along axis " + std::to_string(axis) +
                                  ", whose stride is " + std::to_string(layout.stride(axis)) +
                                  "; name an axis of stride 1, or copy with to_col_major"});
}

void require_parts(const char* operation, std::int64_t parts) {
  if (parts >= 1) return;
  throw ValidationError(operation,
                        InvalidArgument{"parts", std::to_string(parts) + " is not a number of parts; give 1 "
                                                                         "or more"});
}

}  // namespace

Layout Layout::split(const char* operation, std::int64_t axis, std::int64_t parts) const {
  require_unit_stride(operation, *this, axis);
  std::array<std::int64_t, rank_max> extents{};
  std::array<std::int64_t, rank_max> strides{};
  for (std::int64_t other = 0; other < rank(); ++other) {
    const auto to = static_cast<std::size_t>(other);
    extents[to] = extent(other);
    strides[to] =
        extent(other) == 1 ? 1 : times(operation, stride(other), parts, "stride in smaller elements");
  }
  const auto split_axis = static_cast<std::size_t>(axis);
  extents[split_axis] = times(operation, extent(axis), parts, "extent in smaller elements");
  strides[split_axis] = 1;
  const auto count = static_cast<std::size_t>(rank());
  Layout result = checked(operation, std::span(extents).first(count), std::span(strides).first(count),
                          times(operation, offset_, parts, "offset in smaller elements"));
  if (!is_empty()) result.injectivity_ = injectivity_;
  return result;
}

Layout Layout::join(const char* operation, std::int64_t axis, std::int64_t parts) const {
  require_unit_stride(operation, *this, axis);
  Layout result = *this;
  result.axes_.extents()[axis] = divided(operation, extent(axis), parts, "extent of the axis");
  if (is_empty()) return result;
  result.offset_ = divided(operation, offset_, parts, "offset");
  for (std::int64_t other = 0; other < rank(); ++other) {
    if (other == axis || extent(other) == 1) continue;
    result.axes_.strides()[other] = divided(operation, stride(other), parts, "stride of every other axis");
  }
  return result;
}

Layout Layout::split_elements(std::int64_t axis, std::int64_t parts) const {
  constexpr const char* operation = "split_elements";
  require_parts(operation, parts);
  return split(operation, axis_from_front(operation, axis, rank()), parts);
}

Layout Layout::join_elements(std::int64_t axis, std::int64_t parts) const {
  constexpr const char* operation = "join_elements";
  require_parts(operation, parts);
  return join(operation, axis_from_front(operation, axis, rank()), parts);
}

Layout Layout::as_real() const {
  constexpr const char* operation = "as_real";
  if (rank() == rank_max) throw ValidationError(operation, RankTooLarge{rank() + 1, rank_max});
  return insert_axis(0).split(operation, 0, 2);
}

Layout Layout::as_complex() const {
  constexpr const char* operation = "as_complex";
  if (rank() == 0 || extent(0) != 2 || stride(0) != 1) {
    throw ValidationError(operation, InvalidArgument{"layout",
                                                     "the first axis must have extent 2 and stride 1: the "
                                                     "real and the imaginary part; put the parts side by "
                                                     "side with to_col_major"});
  }
  return join(operation, 0, 2).without_axis(0);
}

Layout bit_cast_layout(const Layout& layout, DType from, DType to, std::int64_t axis) {
  if (from == to) return layout;
  if (to.is_boolean()) {
    throw ValidationError("bit_cast_layout",
                          UnsupportedReinterpretation{std::string(from.name()), std::string(to.name())});
  }
  if (from.bytes() == to.bytes()) return layout;
  if (from.bytes() > to.bytes()) {
    return layout.split_elements(axis, static_cast<std::int64_t>(from.bytes() / to.bytes()));
  }
  return layout.join_elements(axis, static_cast<std::int64_t>(to.bytes() / from.bytes()));
}

Layout reinterpret_layout(const Layout& layout, DType from, DType to) {
  if (part_of(from) == to) return layout.as_real();
  if (part_of(to) == from) return layout.as_complex();
  return bit_cast_layout(layout, from, to);
}

}  // namespace tenure::inline TENURE_BUILD
