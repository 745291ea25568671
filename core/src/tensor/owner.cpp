// SPDX-License-Identifier: Apache-2.0
#include "tenure/tensor/owner.hpp"

#include "layout/extents.hpp"

namespace tenure::inline TENURE_BUILD {

std::int64_t Owner::extent(std::int64_t axis) const {
  const auto known = extents("extent");
  const auto rank = static_cast<std::int64_t>(known.size());
  return known[static_cast<std::size_t>(axis_from_front("extent", axis, rank))];
}

std::int64_t Owner::element_count() const {
  const OwnerState& live = state_.live("element_count");
  return static_cast<std::int64_t>(live.storage().bytes() / live.dtype().bytes());
}

}  // namespace tenure::inline TENURE_BUILD
