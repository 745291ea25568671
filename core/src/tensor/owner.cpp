// SPDX-License-Identifier: Apache-2.0
#include "tenure/tensor/owner.hpp"

#include "layout/extents.hpp"

namespace tenure::inline TENURE_BUILD {

std::int64_t Owner::extent(std::int64_t axis) const {
  return extents()[static_cast<std::size_t>(axis_from_front("extent", axis, rank()))];
}

std::int64_t Owner::element_count() const {
  return static_cast<std::int64_t>(bytes() / state_.dtype().bytes());
}

}  // namespace tenure::inline TENURE_BUILD
