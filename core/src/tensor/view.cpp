// SPDX-License-Identifier: Apache-2.0
#include "tenure/tensor/view.hpp"

#include "layout/extents.hpp"

namespace tenure::inline TENURE_BUILD {

std::int64_t View::extent(std::int64_t axis) const {
  return layout().extent(axis_from_front("extent", axis, rank()));
}

}  // namespace tenure::inline TENURE_BUILD
