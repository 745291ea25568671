// SPDX-License-Identifier: Apache-2.0
// multi_slice: several slices of one view that share no element.
#pragma once

#include <span>
#include <vector>

#include "tenure/layout/slice.hpp"
#include "tenure/tensor/view_state.hpp"

namespace tenure::inline TENURE_BUILD {

// For try_multi_slice_mut. Each part has one slice for each axis.
TENURE_API std::vector<ViewState> disjoint_slices(const ViewState& source,
                                                  std::span<const std::span<const Slice>> parts);

}  // namespace tenure::inline TENURE_BUILD
