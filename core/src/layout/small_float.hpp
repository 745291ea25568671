// SPDX-License-Identifier: Apache-2.0
// small_float: the rounding of a double to a binary format of 16 bits.
#pragma once

#include <bit>
#include <cstdint>

#include "tenure/config.h"

namespace tenure::inline TENURE_BUILD {

// The bits of `value` in the IEEE format with one sign bit and these two fields, rounded to nearest, ties to
// even. Both fields together have 15 bits and the exponent at most 8.
template <int exponent_bits, int fraction_bits>
constexpr std::uint16_t round_to_small_float(double value) noexcept {
  static_assert(exponent_bits + fraction_bits == 15 && exponent_bits <= 8);
  constexpr int bias = (1 << (exponent_bits - 1)) - 1;
  constexpr std::uint64_t infinity = ((std::uint64_t{1} << exponent_bits) - 1) << fraction_bits;
  constexpr std::uint64_t quiet = std::uint64_t{1} << (fraction_bits - 1);

  const auto bits = std::bit_cast<std::uint64_t>(value);
  const std::uint64_t sign = bits >> 63 << 15;
  const auto exponent = static_cast<int>(bits >> 52 & 0x7ff);
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
  if (exponent == 0x7ff) {
    const std::uint64_t nan_bits = fraction == 0 ? 0 : quiet | fraction >> (52 - fraction_bits);
    return static_cast<std::uint16_t>(sign | infinity | nan_bits);
  }

  // Below the smallest normal number the exponent stays and the significand is shifted further.
  const int field = exponent - 1023 + bias;
  const int shift = 52 - fraction_bits + (field < 1 ? 1 - field : 0);
  if (shift > 53) return static_cast<std::uint16_t>(sign);
  const std::uint64_t significand = fraction | std::uint64_t{1} << 52;
  const std::uint64_t half = std::uint64_t{1} << (shift - 1);
  const std::uint64_t rest = significand & (2 * half - 1);
  std::uint64_t rounded = significand >> shift;
  if (rest > half || (rest == half && rounded % 2 == 1)) ++rounded;
  // The leading bit of `rounded` counts as one in the exponent field, and so does a carry out of it.
  const std::uint64_t base = field < 1 ? 0 : static_cast<std::uint64_t>(field - 1) << fraction_bits;
  const std::uint64_t magnitude = base + rounded;
  return static_cast<std::uint16_t>(sign | (magnitude < infinity ? magnitude : infinity));
}

}  // namespace tenure::inline TENURE_BUILD
