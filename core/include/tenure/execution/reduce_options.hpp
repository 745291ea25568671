// SPDX-License-Identifier: Apache-2.0
// reduce_options: over which axes a reduction runs, and what becomes of them.
#pragma once

#include "tenure/execution/axis_set.hpp"

namespace tenure::inline TENURE_BUILD {

struct ReduceOptions {
  AxisSet axes{};          // that are reduced
  bool keep_axes = false;  // as axes of extent 1; otherwise they are dropped
};

}  // namespace tenure::inline TENURE_BUILD
