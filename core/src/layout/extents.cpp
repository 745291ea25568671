// SPDX-License-Identifier: Apache-2.0
#include "layout/extents.hpp"

#include "tenure/base/validation_error.hpp"

namespace tenure::inline TENURE_BUILD {

void throw_rank_too_large(const char* operation, std::int64_t rank) {
  throw ValidationError(operation, RankTooLarge{rank, Layout::rank_max});
}

void throw_negative_extent(const char* operation, std::int64_t axis, std::int64_t extent) {
  throw ValidationError(operation, NegativeExtent{axis, extent});
}

void throw_element_count(const char* operation) {
  throw ValidationError(operation, IntegerOverflow{"element count"});
}

void throw_axis_out_of_bounds(const char* operation, std::int64_t axis, std::int64_t rank) {
  throw ValidationError(operation, AxisOutOfBounds{axis, rank});
}

}  // namespace tenure::inline TENURE_BUILD
