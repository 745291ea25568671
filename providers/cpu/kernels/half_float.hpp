// SPDX-License-Identifier: Apache-2.0
// half_float: f16 and bf16 as bits, and their conversions, without branches so that loops vectorise.
#pragma once

#include <bit>
#include <cstdint>

// For what a loop body calls: a call would keep the loop from being vectorised.
#define TENURE_CPU_INLINE [[gnu::always_inline]] inline

namespace tenure::cpu {
namespace {

struct Half {
  std::uint16_t bits;
};

struct Brain {
  std::uint16_t bits;
};

TENURE_CPU_INLINE float to_float(Half value) noexcept {
  constexpr std::uint32_t exponent_mask = 0x7c00u << 13;
  constexpr std::uint32_t rebias = (127u - 15u) << 23;
  const std::uint32_t sign = (value.bits & 0x8000u) << 16;
  const std::uint32_t shifted = (value.bits & 0x7fffu) << 13;
  const std::uint32_t exponent = shifted & exponent_mask;
  const std::uint32_t normal = shifted + rebias;
  const std::uint32_t special = shifted + 2 * rebias;
  // A subnormal is the difference of two normal numbers with the smallest normal exponent.
  constexpr std::uint32_t smallest = rebias + (1u << 23);
  const float difference = std::bit_cast<float>(shifted + smallest) - std::bit_cast<float>(smallest);
  const std::uint32_t subnormal = std::bit_cast<std::uint32_t>(difference);
  const std::uint32_t finite = exponent == 0 ? subnormal : normal;
  return std::bit_cast<float>((exponent == exponent_mask ? special : finite) | sign);
}

// Rounds to nearest, ties to even; NaN stays NaN.
TENURE_CPU_INLINE Half to_half(float value) noexcept {
  constexpr std::uint32_t infinity = 255u << 23;
  constexpr std::uint32_t overflow = (127u + 16u) << 23;  // 65536
  constexpr std::uint32_t smallest = (127u - 14u) << 23;  // the smallest normal f16
  constexpr std::uint32_t magic = (127u - 15u + 23u - 10u + 1u) << 23;
  const std::uint32_t all = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = all & 0x80000000u;
  const std::uint32_t magnitude = all ^ sign;
  const std::uint32_t special = magnitude > infinity ? 0x7e00u : 0x7c00u;
  // Adding a number whose last place is f16's smallest subnormal makes the addition round.
  const float aligned = std::bit_cast<float>(magnitude) + std::bit_cast<float>(magic);
  const std::uint32_t subnormal = std::bit_cast<std::uint32_t>(aligned) - magic;
  const std::uint32_t odd = (magnitude >> 13) & 1u;
  const std::uint32_t normal = (magnitude - ((127u - 15u) << 23) + 0xfffu + odd) >> 13;
  const std::uint32_t finite = magnitude < smallest ? subnormal : normal;
  const std::uint32_t bits = (magnitude >= overflow ? special : finite) | (sign >> 16);
  return Half{static_cast<std::uint16_t>(bits)};
}

TENURE_CPU_INLINE float to_float(Brain value) noexcept {
  return std::bit_cast<float>(static_cast<std::uint32_t>(value.bits) << 16);
}

// Rounds to nearest, ties to even; NaN stays NaN.
TENURE_CPU_INLINE Brain to_brain(float value) noexcept {
  const std::uint32_t all = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t rounded = (all + 0x7fffu + ((all >> 16) & 1u)) >> 16;
  const std::uint32_t quiet = (all >> 16) | 0x40u;
  const bool is_nan = (all & 0x7fffffffu) > 0x7f800000u;
  return Brain{static_cast<std::uint16_t>(is_nan ? quiet : rounded)};
}

// The f32 next to `value` whose last bit is 1, or `value` where it is an f32. Rounding that result to a
// shorter format gives what rounding `value` once would have given.
TENURE_CPU_INLINE float round_to_odd(double value) noexcept {
  const float nearest = static_cast<float>(value);
  const double back = static_cast<double>(nearest);
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(nearest);
  const bool is_away = __builtin_fabs(back) > __builtin_fabs(value);
  const std::uint32_t odd = (bits - (is_away ? 1u : 0u)) | 1u;
  const bool is_inexact = back < value || back > value;
  return std::bit_cast<float>(is_inexact ? odd : bits);
}

}  // namespace
}  // namespace tenure::cpu
