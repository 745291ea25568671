// SPDX-License-Identifier: Apache-2.0
#include "tenure/tensor/view.hpp"

#include "layout/extents.hpp"

namespace tenure::inline TENURE_BUILD {

std::int64_t View::extent(std::int64_t axis) const {
  const Layout& known = layout("extent");
  return known.extent(axis_from_front("extent", axis, known.rank()));
}

}  // namespace tenure::inline TENURE_BUILD
