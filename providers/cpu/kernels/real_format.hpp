// SPDX-License-Identifier: Apache-2.0
// real_format: f32 and f64 as bits, and log(2) in two parts.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "half_float.hpp"

namespace tenure::cpu {
namespace {

template <class Real>
using UnsignedOf = std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>;

template <class Real>
struct RealFormat;

// integer_magic has a last place of 1 and room for a sign: adding it to a number rounds that to an integer,
// which stands in the last bits. log2_high has so few bits that its product with any exponent is exact.
template <>
struct RealFormat<double> {
  static constexpr int mantissa_bits = 52;
  static constexpr std::uint64_t exponent_bias = 1023;
  static constexpr double smallest_normal = 0x1p-1022;
  static constexpr double integer_magic = 0x1.8p52;
  static constexpr double log2_high = 0x1.62e42fefa38p-1;
  static constexpr double log2_low = 0x1.ef35793c7673p-45;
};

template <>
struct RealFormat<float> {
  static constexpr int mantissa_bits = 23;
  static constexpr std::uint32_t exponent_bias = 127;
  static constexpr float smallest_normal = 0x1p-126f;
  static constexpr float integer_magic = 0x1.8p23f;
  static constexpr float log2_high = 0x1.62e4p-1f;
  static constexpr float log2_low = 0x1.7f7d1cp-20f;
};

TENURE_CPU_INLINE float absolute(float x) noexcept { return __builtin_fabsf(x); }
TENURE_CPU_INLINE double absolute(double x) noexcept { return __builtin_fabs(x); }
TENURE_CPU_INLINE float with_sign_of(float sign, float x) noexcept { return __builtin_copysignf(x, sign); }
TENURE_CPU_INLINE double with_sign_of(double sign, double x) noexcept { return __builtin_copysign(x, sign); }

}  // namespace
}  // namespace tenure::cpu
