// SPDX-License-Identifier: Apache-2.0
// diagonal_options: which diagonal of which two axes.
#pragma once

#include <cstdint>

#include "tenure/config.h"

namespace tenure::inline TENURE_BUILD {

// As the arguments of Layout::diagonal: index (i, i + offset) of the two axes, (i - offset, i) where the
// offset is negative.
struct DiagonalOptions {
  std::int64_t axis = 0;
  std::int64_t other_axis = 1;
  std::int64_t offset = 0;
};

}  // namespace tenure::inline TENURE_BUILD
