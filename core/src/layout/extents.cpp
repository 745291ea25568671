// SPDX-License-Identifier: Apache-2.0
#include "layout/extents.hpp"

#include "tenure/abi/checked_math.hpp"
#include "tenure/base/validation_error.hpp"
#include "tenure/layout/layout.hpp"

namespace tenure::inline TENURE_BUILD {

std::int64_t checked_element_count(const char* operation, AxisValues extents) {
  if (extents.count() > Layout::rank_max) {
    throw ValidationError(operation, RankTooLarge{extents.count(), Layout::rank_max});
  }
  std::int64_t count = 1;
  bool empty = false;
  bool overflow = false;
  for (std::int64_t axis = 0; axis < extents.count(); ++axis) {
    if (extents[axis] < 0) throw ValidationError(operation, NegativeExtent{axis, extents[axis]});
    empty |= extents[axis] == 0;
    overflow |= !abi::checked_multiply(count, extents[axis], count);
  }
  if (empty) return 0;
  if (overflow) throw ValidationError(operation, IntegerOverflow{"element count"});
  return count;
}

void throw_axis_out_of_bounds(const char* operation, std::int64_t axis, std::int64_t rank) {
  throw ValidationError(operation, AxisOutOfBounds{axis, rank});
}

}  // namespace tenure::inline TENURE_BUILD
