// SPDX-License-Identifier: Apache-2.0
// extents: the checks of what a caller gives as extents or as an axis.
#pragma once

#include <cstdint>

#include "tenure/layout/axis_values.hpp"

namespace tenure::inline TENURE_BUILD {

// The number of elements. Throws RankTooLarge, NegativeExtent or IntegerOverflow.
std::int64_t checked_element_count(const char* operation, AxisValues extents);

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
