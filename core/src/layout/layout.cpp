// SPDX-License-Identifier: Apache-2.0
#include "tenure/layout/layout.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>

#include "layout/extents.hpp"
#include "tenure/abi/checked_math.hpp"
#include "tenure/base/validation_error.hpp"

namespace tenure::inline TENURE_BUILD {

namespace {

[[noreturn]] void throw_overflow(const char* operation, const char* quantity) {
  throw ValidationError(operation, IntegerOverflow{quantity});
}

}  // namespace

Layout Layout::column_major(AxisValues extents) {
  checked_element_count("column_major", extents);
  return column_major_of_checked(extents.span());
}

Layout Layout::row_major(AxisValues extents) {
  const bool empty = checked_element_count("row_major", extents) == 0;
  const std::int64_t rank = extents.count();
  Layout layout(rank);
  std::int64_t* const to_extents = layout.axes_.extents();
  std::int64_t* const to_strides = layout.axes_.strides();
  std::int64_t stride = 1;
  for (std::int64_t axis = rank - 1; axis >= 0; --axis) {
    const std::int64_t extent = extents[axis];
    to_extents[axis] = extent;
    to_strides[axis] = empty || extent == 1 ? 1 : stride;
    if (!empty) stride *= extent;
  }
  return layout;
}

Layout Layout::channels_last(AxisValues extents) {
  const std::int64_t rank = extents.count();
  const std::int64_t* const e = extents.data();
  if (rank == 4) return row_major({e[0], e[2], e[3], e[1]}).permute({0, 3, 1, 2});
  if (rank == 5) return row_major({e[0], e[2], e[3], e[4], e[1]}).permute({0, 4, 1, 2, 3});
  throw ValidationError("channels_last",
                        InvalidArgument{"extents",
                                        "channels last is an order of rank 4, [N, C, H, W], or 5, [N, C, "
                                        "D, H, W], found rank " +
                                            std::to_string(rank)});
}

Layout Layout::strided(AxisValues extents, AxisValues strides, std::int64_t offset_elements) {
  return checked("strided", extents, strides, offset_elements);
}

Layout Layout::checked(const char* operation, AxisValues extents, AxisValues strides,
                       std::int64_t offset_elements) {
  const std::int64_t count = checked_element_count(operation, extents);
  if (strides.count() != extents.count()) {
    throw ValidationError(operation, RankMismatch{extents.count(), strides.count(), RankRule::strides});
  }
  Layout layout(extents.count());
  std::copy(extents.begin(), extents.end(), layout.axes_.extents());
  std::fill_n(layout.axes_.strides(), layout.rank(), 1);
  if (count == 0) return layout;

  std::int64_t lowest = offset_elements;
  std::int64_t highest = offset_elements;
  for (std::int64_t axis = 0; axis < layout.rank(); ++axis) {
    if (extents[axis] == 1) continue;
    layout.axes_.strides()[axis] = strides[axis];
    std::int64_t distance = 0;
    std::int64_t& end = strides[axis] < 0 ? lowest : highest;
    if (!abi::checked_multiply(extents[axis] - 1, strides[axis], distance) ||
        !abi::checked_add(end, distance, end)) {
      throw_overflow(operation, "reach of the elements");
    }
  }
  std::int64_t length = 0;
  if (!abi::checked_subtract(highest, lowest, length)) throw_overflow(operation, "reach of the elements");
  layout.offset_ = offset_elements;
  layout.injectivity_ = count == 1 ? Injectivity::yes : Injectivity::unknown;
  return layout;
}

void Layout::require_within(std::int64_t available_elements) const {
  const std::optional<ElementReach> reached = reach();
  if (reached && (reached->lowest < 0 || reached->highest >= available_elements)) {
    throw ValidationError("require_within",
                          ViewOutOfBounds{reached->lowest, reached->highest, available_elements});
  }
}

std::size_t Layout::required_bytes(std::size_t element_bytes) const {
  const std::optional<ElementReach> reached = reach();
  if (!reached) return 0;
  if (reached->lowest < 0) {
    throw ValidationError("required_bytes",
                          ViewOutOfBounds{reached->lowest, reached->highest, reached->highest + 1});
  }
  std::size_t bytes = 0;
  if (!abi::checked_multiply(static_cast<std::size_t>(reached->highest) + 1, element_bytes, bytes)) {
    throw_overflow("required_bytes", "size in bytes");
  }
  return bytes;
}

std::int64_t Layout::element_at(AxisValues index) const {
  if (const std::optional<std::int64_t> element = find_element(index)) return *element;
  throw_outside("element_at", index, 0);
}

void Layout::throw_outside(const char* operation, AxisValues index, std::uint64_t unsigned_axes) const {
  if (index.count() != rank()) {
    throw ValidationError(operation, RankMismatch{rank(), index.count(), RankRule::index});
  }
  std::int64_t axis = 0;
  while (index[axis] >= 0 && index[axis] < extent(axis)) ++axis;
  const bool is_unsigned = ((unsigned_axes >> axis) & 1) != 0;
  throw ValidationError(operation, IndexOutOfBounds{axis, index[axis], extent(axis), is_unsigned});
}

std::optional<std::int64_t> Layout::find_element(AxisValues index) const noexcept {
  if (index.count() != rank()) return std::nullopt;
  std::int64_t element = offset_;
  for (std::int64_t axis = 0; axis < rank(); ++axis) {
    if (index[axis] < 0 || index[axis] >= extent(axis)) return std::nullopt;
    element += index[axis] * stride(axis);
  }
  return element;
}

bool Layout::is_column_major() const noexcept {
  std::int64_t expected = 1;
  for (std::int64_t axis = 0; axis < rank(); ++axis) {
    if (extent(axis) == 1) continue;
    if (stride(axis) != expected) return is_empty();
    expected *= extent(axis);
  }
  return true;
}

bool Layout::is_row_major() const noexcept {
  std::int64_t expected = 1;
  for (std::int64_t axis = rank() - 1; axis >= 0; --axis) {
    if (extent(axis) == 1) continue;
    if (stride(axis) != expected) return is_empty();
    expected *= extent(axis);
  }
  return true;
}

bool Layout::is_channels_last() const noexcept {
  if (rank() == 4) return permute({0, 2, 3, 1}).is_row_major();
  if (rank() == 5) return permute({0, 2, 3, 4, 1}).is_row_major();
  return false;
}

bool Layout::is_dense() const noexcept {
  std::int64_t axes_left = 0;
  for (std::int64_t axis = 0; axis < rank(); ++axis) axes_left += extent(axis) != 1;
  // The axes in the order of their strides: each begins where the ones before it end.
  std::int64_t expected = 1;
  for (; axes_left > 0; --axes_left) {
    std::int64_t axis = 0;
    while (axis < rank() && (extent(axis) == 1 || std::abs(stride(axis)) != expected)) ++axis;
    if (axis == rank()) return is_empty();
    expected *= extent(axis);
  }
  return true;
}

bool operator==(const Layout& a, const Layout& b) noexcept {
  return a.offset_ == b.offset_ && std::ranges::equal(a.extents(), b.extents()) &&
         std::ranges::equal(a.strides(), b.strides());
}

}  // namespace tenure::inline TENURE_BUILD
