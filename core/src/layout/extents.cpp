// SPDX-License-Identifier: Apache-2.0
#include "layout/extents.hpp"

#include <algorithm>

#include "tenure/abi/checked_math.hpp"
#include "tenure/base/validation_error.hpp"
#include "tenure/layout/layout.hpp"

namespace tenure::inline TENURE_BUILD {

std::int64_t checked_element_count(const char* operation, AxisValues extents) {
  if (extents.count() > Layout::rank_max) {
    throw ValidationError(operation, RankTooLarge{extents.count(), Layout::rank_max});
  }
  for (std::int64_t axis = 0; axis < extents.count(); ++axis) {
    if (extents[axis] < 0) throw ValidationError(operation, NegativeExtent{axis, extents[axis]});
  }
  if (std::find(extents.begin(), extents.end(), 0) != extents.end()) return 0;
  std::int64_t count = 1;
  for (const std::int64_t extent : extents) {
    if (!abi::checked_multiply(count, extent, count)) {
      throw ValidationError(operation, IntegerOverflow{"element count"});
    }
  }
  return count;
}

void throw_axis_out_of_bounds(const char* operation, std::int64_t axis, std::int64_t rank) {
  throw ValidationError(operation, AxisOutOfBounds{axis, rank});
}

}  // namespace tenure::inline TENURE_BUILD
