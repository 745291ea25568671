// SPDX-License-Identifier: Apache-2.0
#include "tenure/layout/float16.hpp"

#include <bit>

#include "layout/small_float.hpp"

namespace tenure::inline TENURE_BUILD {

float16::float16(double value) noexcept : bits_(round_to_small_float<5, 10>(value)) {}

float16::operator float() const noexcept {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits_ >> 15) << 31;
  const std::uint32_t exponent = bits_ >> 10 & 0x1fu;
  const std::uint32_t fraction = bits_ & 0x3ffu;
  if (exponent == 0) {
    const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
    return sign == 0 ? magnitude : -magnitude;
  }
  const std::uint32_t field = exponent == 0x1f ? 0xffu : exponent + (127 - 15);
  return std::bit_cast<float>(sign | field << 23 | fraction << 13);
}

}  // namespace tenure::inline TENURE_BUILD
