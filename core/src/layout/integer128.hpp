// SPDX-License-Identifier: Apache-2.0
// integer128: sums and products of 64-bit numbers that cannot overflow.
#pragma once

#include "tenure/config.h"

namespace tenure::inline TENURE_BUILD {

__extension__ using Integer128 = __int128;

// For a positive divisor.
constexpr Integer128 floor_divide(Integer128 dividend, Integer128 divisor) noexcept {
  return dividend >= 0 ? dividend / divisor : -((-dividend + divisor - 1) / divisor);
}
constexpr Integer128 ceil_divide(Integer128 dividend, Integer128 divisor) noexcept {
  return -floor_divide(-dividend, divisor);
}
// The remainder in [0, divisor).
constexpr Integer128 modulo(Integer128 dividend, Integer128 divisor) noexcept {
  return dividend - divisor * floor_divide(dividend, divisor);
}

}  // namespace tenure::inline TENURE_BUILD
