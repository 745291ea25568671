// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "layout/extents.hpp"
#include "tenure/base/validation_error.hpp"
#include "tenure/layout/layout.hpp"

namespace tenure::inline TENURE_BUILD {

namespace {

[[noreturn, gnu::cold]] void throw_slice_step(std::int64_t axis) {
  throw ValidationError("slice", InvalidSliceStep{axis});
}

[[noreturn, gnu::cold]] void throw_permutation_length(std::int64_t rank, std::int64_t count) {
  throw ValidationError("permute", InvalidPermutationLength{rank, count});
}

[[noreturn, gnu::cold]] void throw_duplicate_axis(const char* operation, std::int64_t axis,
                                                  const char* place) {
  throw ValidationError(operation, DuplicateAxis{axis, place});
}

// Axes [begin, end) of `from` become the axes of `to` from `place` on.
void copy_axes(const AxisStorage<2>& from, std::int64_t begin, std::int64_t end, AxisStorage<2>& to,
               std::int64_t place) noexcept {
  const std::int64_t* const from_extents = from.extents();
  const std::int64_t* const from_strides = from.strides();
  std::int64_t* const to_extents = to.extents();
  std::int64_t* const to_strides = to.strides();
  for (std::int64_t axis = begin; axis < end; ++axis, ++place) {
    to_extents[place] = from_extents[axis];
    to_strides[place] = from_strides[axis];
  }
}

// The first index and the number of indices that a slice keeps of an axis.
struct SliceRange {
  std::int64_t start;
  std::int64_t count;
};

SliceRange range_of(const Slice& slice, std::int64_t axis, std::int64_t extent) {
  if (slice.step == 0) throw_slice_step(axis);
  // Walking backwards, positions run from extent - 1 down to -1, the place before the first.
  const std::int64_t lower = slice.step < 0 ? -1 : 0;
  const std::int64_t upper = slice.step < 0 ? extent - 1 : extent;
  const auto clamp = [&](std::int64_t bound) {
    return std::clamp(bound < 0 ? bound + extent : bound, lower, upper);
  };
  const std::int64_t start = slice.start ? clamp(*slice.start) : slice.step < 0 ? upper : lower;
  const std::int64_t stop = slice.stop ? clamp(*slice.stop) : slice.step < 0 ? lower : upper;
  const std::int64_t distance = slice.step < 0 ? start - stop : stop - start;
  if (distance <= 0) return {0, 0};
  if (slice.step == 1 || slice.step == -1) return {start, distance};
  const auto magnitude =
      slice.step < 0 ? -static_cast<std::uint64_t>(slice.step) : static_cast<std::uint64_t>(slice.step);
  return {start, static_cast<std::int64_t>((static_cast<std::uint64_t>(distance) - 1) / magnitude) + 1};
}

// Of a layout with elements.
inline void take_slice(const Slice& slice, std::int64_t axis, std::int64_t& extent, std::int64_t& stride,
                       std::int64_t& offset) {
  const SliceRange range = range_of(slice, axis, extent);
  offset += range.start * stride;
  // Two indices or more lie within the old reach, so their distance does not overflow.
  stride = range.count > 1 ? stride * slice.step : 1;
  extent = range.count;
}

// Of a layout without elements only the extents say anything; its other extents may be of any size, so that
// places along them do not add up.
inline void take_extent(const Slice& slice, std::int64_t axis, std::int64_t& extent) {
  extent = range_of(slice, axis, extent).count;
}

}  // namespace

Layout Layout::permute(AxisValues axes) const {
  constexpr const char* operation = "permute";
  if (axes.count() != rank()) throw_permutation_length(rank(), axes.count());
  const std::int64_t rank = this->rank();
  const std::int64_t* const from_extents = axes_.extents();
  const std::int64_t* const from_strides = axes_.strides();
  Layout result(rank, offset_, injectivity_);
  std::int64_t* const extents = result.axes_.extents();
  std::int64_t* const strides = result.axes_.strides();
  std::uint64_t seen = 0;
  for (std::int64_t axis = 0; axis < rank; ++axis) {
    const std::int64_t from = axis_from_front(operation, axes[axis], rank);
    const std::uint64_t bit = std::uint64_t{1} << from;
    if ((seen & bit) != 0) throw_duplicate_axis(operation, axes[axis], "permutation");
    seen |= bit;
    extents[axis] = from_extents[from];
    strides[axis] = from_strides[from];
  }
  return result;
}

Layout Layout::transposed() const {
  const std::int64_t rank = this->rank();
  const std::int64_t* const from_extents = axes_.extents();
  const std::int64_t* const from_strides = axes_.strides();
  Layout result(rank, offset_, injectivity_);
  std::int64_t* const extents = result.axes_.extents();
  std::int64_t* const strides = result.axes_.strides();
  for (std::int64_t axis = 0, from = rank - 1; from >= 0; ++axis, --from) {
    extents[axis] = from_extents[from];
    strides[axis] = from_strides[from];
  }
  return result;
}

Layout Layout::select(std::int64_t axis, std::int64_t index) const {
  constexpr const char* operation = "select";
  const std::int64_t dropped = axis_from_front(operation, axis, rank());
  const std::int64_t from_front = index < 0 ? index + extent(dropped) : index;
  if (from_front < 0 || from_front >= extent(dropped)) {
    throw ValidationError(operation, IndexOutOfBounds{dropped, index, extent(dropped)});
  }
  Layout result = without_axis(dropped);
  result.offset_ = offset_ + from_front * stride(dropped);
  result.finish_selection(result.is_empty());
  return result;
}

Layout Layout::slice(std::int64_t axis, const Slice& slice) const {
  const std::int64_t sliced = axis_from_front("slice", axis, rank());
  Layout result = *this;
  std::int64_t& extent = result.axes_.extents()[sliced];
  if (is_empty()) {
    take_extent(slice, sliced, extent);
    result.finish_selection(result.is_empty());
  } else {
    take_slice(slice, sliced, extent, result.axes_.strides()[sliced], result.offset_);
    if (extent == 0 || injectivity_ != Injectivity::yes) result.finish_selection(extent == 0);
  }
  return result;
}

Layout Layout::slice(std::span<const Slice> slices) const {
  const auto count = static_cast<std::int64_t>(slices.size());
  if (count != rank()) throw ValidationError("slice", RankMismatch{rank(), count, RankRule::slices});
  Layout result = *this;
  std::int64_t* const extents = result.axes_.extents();
  std::int64_t* const strides = result.axes_.strides();
  const bool empty = is_empty();
  for (std::int64_t axis = 0; axis < count; ++axis) {
    if (empty) {
      take_extent(slices.data()[axis], axis, extents[axis]);
      continue;
    }
    take_slice(slices.data()[axis], axis, extents[axis], strides[axis], result.offset_);
  }
  result.finish_selection(result.is_empty());
  return result;
}

Layout Layout::slice(std::initializer_list<Slice> slices) const {
  return slice(std::span<const Slice>(slices.begin(), slices.size()));
}

void Layout::finish_selection(bool is_now_empty) noexcept {
  if (is_now_empty) {
    std::fill_n(axes_.strides(), rank(), 1);
    offset_ = 0;
    injectivity_ = Injectivity::yes;
  } else if (injectivity_ != Injectivity::yes) {
    injectivity_ = element_count() == 1 ? Injectivity::yes : Injectivity::unknown;
  }
}

Layout Layout::flip(std::int64_t axis) const {
  const std::int64_t flipped = axis_from_front("flip", axis, rank());
  if (extent(flipped) <= 1 || is_empty()) return *this;
  Layout result = *this;
  result.offset_ += (extent(flipped) - 1) * stride(flipped);
  result.axes_.strides()[flipped] = -stride(flipped);
  return result;
}

Layout Layout::diagonal(std::int64_t axis, std::int64_t other_axis, std::int64_t offset) const {
  constexpr const char* operation = "diagonal";
  const std::int64_t kept = axis_from_front(operation, axis, rank());
  const std::int64_t dropped = axis_from_front(operation, other_axis, rank());
  if (kept == dropped) throw_duplicate_axis(operation, other_axis, "diagonal");
  // Where it begins along each axis; an offset beyond both ends may be of any size.
  const std::int64_t kept_start = offset < 0 ? -std::max(-extent(kept), offset) : 0;
  const std::int64_t dropped_start = offset > 0 ? std::min(extent(dropped), offset) : 0;
  const std::int64_t count = std::min(extent(kept) - kept_start, extent(dropped) - dropped_start);
  const std::int64_t kept_stride = stride(kept);
  const std::int64_t dropped_stride = stride(dropped);
  Layout result = without_axis(dropped);
  const std::int64_t place = kept - (dropped < kept ? 1 : 0);
  result.axes_.extents()[place] = count;
  if (!is_empty() && count != 0) {
    result.offset_ = offset_ + kept_start * kept_stride + dropped_start * dropped_stride;
    // Two elements or more lie within the old reach, so their distance does not overflow.
    result.axes_.strides()[place] = count > 1 ? kept_stride + dropped_stride : 1;
  }
  result.finish_selection(result.is_empty());
  return result;
}

Layout Layout::insert_axis(std::int64_t axis) const {
  constexpr const char* operation = "insert_axis";
  if (rank() == rank_max) throw ValidationError(operation, RankTooLarge{rank() + 1, rank_max});
  const std::int64_t inserted = axis_from_front(operation, axis, rank() + 1);
  Layout result(rank() + 1, offset_, injectivity_);
  copy_axes(axes_, 0, inserted, result.axes_, 0);
  copy_axes(axes_, inserted, rank(), result.axes_, inserted + 1);
  result.axes_.extents()[inserted] = 1;
  result.axes_.strides()[inserted] = 1;
  return result;
}

Layout Layout::remove_axis(std::int64_t axis) const {
  constexpr const char* operation = "remove_axis";
  const std::int64_t removed = axis_from_front(operation, axis, rank());
  if (extent(removed) != 1) {
    throw ValidationError(
        operation,
        InvalidArgument{"axis", "only an axis of extent 1 can be removed, axis " + std::to_string(axis) +
                                    " has extent " + std::to_string(extent(removed)) +
                                    "; use select to keep one index"});
  }
  return without_axis(removed);
}

Layout Layout::without_axis(std::int64_t axis) const {
  Layout result(rank() - 1, offset_, injectivity_);
  copy_axes(axes_, 0, axis, result.axes_, 0);
  copy_axes(axes_, axis + 1, rank(), result.axes_, axis);
  return result;
}

Layout Layout::broadcast_to(AxisValues extents) const {
  constexpr const char* operation = "broadcast_to";
  if (extents.count() != rank()) {
    throw ValidationError(operation, RankMismatch{rank(), extents.count(), RankRule::target_extents});
  }
  checked_element_count(operation, extents);
  Layout result = *this;
  bool changed = false;
  for (std::int64_t axis = 0; axis < rank(); ++axis) {
    if (extents[axis] == extent(axis)) continue;
    if (extent(axis) != 1) {
      throw ValidationError(operation, ShapeMismatch{{this->extents().begin(), this->extents().end()},
                                                     {extents.begin(), extents.end()},
                                                     ShapeRule::broadcast});
    }
    result.axes_.extents()[axis] = extents[axis];
    result.axes_.strides()[axis] = 0;
    changed = true;
  }
  if (changed) {
    result.injectivity_ = Injectivity::unknown;
    result.finish_selection(result.is_empty());
  }
  return result;
}

}  // namespace tenure::inline TENURE_BUILD
