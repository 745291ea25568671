// SPDX-License-Identifier: Apache-2.0
// slice: which indices of one axis are kept, with Python's rules.
#pragma once

#include <cstdint>
#include <optional>

#include "tenure/config.h"

namespace tenure::inline TENURE_BUILD {

// Like Python's start:stop:step. Negative start and stop count from the end once; what still lies outside
// is clamped; an absent bound is the end of the axis that the step comes from or goes to. A negative step
// walks backwards. Step 0 is an error. The default keeps the whole axis.
struct Slice {
  std::optional<std::int64_t> start{};
  std::optional<std::int64_t> stop{};
  std::int64_t step = 1;

  bool operator==(const Slice&) const = default;
};

}  // namespace tenure::inline TENURE_BUILD
