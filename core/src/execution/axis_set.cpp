// SPDX-License-Identifier: Apache-2.0
#include "tenure/execution/axis_set.hpp"

#include "tenure/base/validation_error.hpp"

namespace tenure::inline TENURE_BUILD {

std::uint64_t AxisSet::mask(const char* operation, std::int64_t rank) const {
  if (is_all_) return rank == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << rank) - 1;
  std::uint64_t mask = 0;
  for (const std::int64_t axis : axes_) {
    const std::int64_t from_start = axis < 0 ? axis + rank : axis;
    if (from_start < 0 || from_start >= rank) {
      throw ValidationError(operation, AxisOutOfBounds{.axis = axis, .rank = rank});
    }
    const std::uint64_t bit = std::uint64_t{1} << from_start;
    if ((mask & bit) != 0) throw ValidationError(operation, DuplicateAxis{.axis = axis, .role = "axes"});
    mask |= bit;
  }
  return mask;
}

}  // namespace tenure::inline TENURE_BUILD
