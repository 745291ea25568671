// SPDX-License-Identifier: Apache-2.0
#include "tenure/execution/axis_set.hpp"

#include "layout/extents.hpp"
#include "tenure/base/validation_error.hpp"

namespace tenure::inline TENURE_BUILD {

std::uint64_t AxisSet::mask(const char* operation, std::int64_t rank) const {
  if (is_all_) return rank == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << rank) - 1;
  std::uint64_t mask = 0;
  for (const std::int64_t axis : axes_) {
    const std::uint64_t bit = std::uint64_t{1} << axis_from_front(operation, axis, rank);
    if ((mask & bit) != 0) throw ValidationError(operation, DuplicateAxis{.axis = axis, .role = "axes"});
    mask |= bit;
  }
  return mask;
}

}  // namespace tenure::inline TENURE_BUILD
