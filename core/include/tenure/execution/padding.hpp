// SPDX-License-Identifier: Apache-2.0
// padding: elements around those of a tensor.
#pragma once

#include <cstdint>

#include "tenure/config.h"

namespace tenure::inline TENURE_BUILD {

// Along one axis; not negative. To drop elements take a slice.
struct Padding {
  std::int64_t before = 0;
  std::int64_t after = 0;
};

}  // namespace tenure::inline TENURE_BUILD
