// SPDX-License-Identifier: Apache-2.0
// extents: the checks of what a caller gives as extents or as an axis.
#pragma once

#include <cstdint>

#include "tenure/abi/checked_math.hpp"
#include "tenure/layout/axis_values.hpp"
#include "tenure/layout/layout.hpp"

namespace tenure::inline TENURE_BUILD {

[[noreturn, gnu::cold]] void throw_rank_too_large(const char* operation, std::int64_t rank);
[[noreturn, gnu::cold]] void throw_negative_extent(const char* operation, std::int64_t axis,
                                                   std::int64_t extent);
[[noreturn, gnu::cold]] void throw_element_count(const char* operation);

// The number of elements. Throws RankTooLarge, NegativeExtent or IntegerOverflow.
inline std::int64_t checked_element_count(const char* operation, AxisValues extents) {
  if (extents.count() > Layout::rank_max) throw_rank_too_large(operation, extents.count());
  std::int64_t count = 1;
  bool empty = false;
  bool overflow = false;
  for (std::int64_t axis = 0; axis < extents.count(); ++axis) {
    if (extents[axis] < 0) throw_negative_extent(operation, axis, extents[axis]);
    empty |= extents[axis] == 0;
    overflow |= !abi::checked_multiply(count, extents[axis], count);
  }
  if (empty) return 0;
  if (overflow) throw_element_count(operation);
  return count;
}

[[noreturn, gnu::cold]] void throw_axis_out_of_bounds(const char* operation, std::int64_t axis,
                                                      std::int64_t rank);

// `axis` counted from the front. Throws AxisOutOfBounds.
inline std::int64_t axis_from_front(const char* operation, std::int64_t axis, std::int64_t rank) {
  const std::int64_t from_front = axis < 0 ? axis + rank : axis;
  // One comparison, in which negative numbers are large.
  if (static_cast<std::uint64_t>(from_front) >= static_cast<std::uint64_t>(rank)) {
    throw_axis_out_of_bounds(operation, axis, rank);
  }
  return from_front;
}

}  // namespace tenure::inline TENURE_BUILD
