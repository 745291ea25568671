// SPDX-License-Identifier: Apache-2.0
// log_function: a positive number as a power of two times a number near 1, and the logarithm of the latter.
#pragma once

#include <bit>

#include "compensated.hpp"
#include "real_format.hpp"

namespace tenure::cpu {
namespace {

// x = 2^k (1 + f) with f from sqrt(1/2) - 1 to sqrt(2) - 1.
template <class Real>
struct LogParts {
  UnsignedOf<Real> k;  // modulo the word
  Real k_number;
  Real f;
};

// Of a positive normal x. `k_number` is that of 2^exponent x.
template <class Real>
TENURE_CPU_INLINE LogParts<Real> log_parts(Real x, Real exponent = 0) noexcept {
  using Format = RealFormat<Real>;
  using Bits = UnsignedOf<Real>;
  constexpr Bits one = Format::exponent_bias << Format::mantissa_bits;
  constexpr Bits root_half = sizeof(Real) == 4 ? Bits{0x3f3504f3} : static_cast<Bits>(0x3fe6a09e667f3bcd);
  // 2^mantissa_bits: its last bits hold an integer.
  constexpr Bits magic_bits = (Format::exponent_bias + Format::mantissa_bits) << Format::mantissa_bits;
  constexpr Real bias = std::bit_cast<Real>(magic_bits) + static_cast<Real>(Format::exponent_bias);
  const Bits bits = std::bit_cast<Bits>(x);
  const Bits biased = (bits - root_half + one) >> Format::mantissa_bits;
  const Real k_number = std::bit_cast<Real>(biased | magic_bits) - (bias - exponent);
  const Bits k = biased - Format::exponent_bias;
  return {k, k_number, std::bit_cast<Real>(bits - (k << Format::mantissa_bits)) - Real{1}};
}

// Minimax approximation of (2 atanh(s) - 2 s) / s^3 in s^2 for the s = f / (2 + f) of log_parts, relative to
// 2 atanh(s) within 2^-59.
constexpr double log_terms[] = {0x1.5555555555592p-1, 0x1.999999997ff39p-2, 0x1.24924941df104p-2,
                                0x1.c71c521627614p-3, 0x1.74663c97b263ap-3, 0x1.39a1efccbe692p-3,
                                0x1.2f0386d21c092p-3};

// Of (log(1 + f) - f + f^2 / 2) / f^3 for the f of log_parts, relative to log(1 + f) within 2^-27.
constexpr float log_terms_f32[] = {0x1.555554p-2f, -0x1.000236p-2f, 0x1.999f06p-3f, -0x1.546d98p-3f,
                                   0x1.22f6dcp-3f, -0x1.0dd202p-3f, 0x1.04988ep-3f, -0x1.3518bep-4f};

// log(1 + f) - f.
TENURE_CPU_INLINE double log_rest(double f) noexcept {
  const double s = f / (2.0 + f);
  const double z = s * s;
  const double half_square = 0.5 * f * f;
  return multiply_add(s, multiply_add(z, polynomial<log_terms>(z), half_square), -half_square);
}
TENURE_CPU_INLINE float log_rest(float f) noexcept {
  return f * f * multiply_add(f, polynomial<log_terms_f32>(f), -0.5f);
}

// c / (1 + f) for the f of log_parts, within |c f| / 64.
template <class Real>
TENURE_CPU_INLINE Real rough_quotient(Real c, Real f) noexcept {
  const Real slope = multiply_add(multiply_add(Real{-0.914f}, f, Real{1.081f}), f, Real{-1.005f});
  return multiply_add(c * f, slope, c);
}

// k log(2) + log(1 + f) + low.
template <class Real>
TENURE_CPU_INLINE Real log_sum(Real k, Real f, Real low) noexcept {
  using Format = RealFormat<Real>;
  const Pair<Real> sum = exact_ordered_sum(k * Format::log2_high, f);
  return sum.high + (sum.low + multiply_add(k, Format::log2_low, log_rest(f) + low));
}

// Any x.
template <class Real>
TENURE_CPU_INLINE Real log_of(Real x) noexcept {
  constexpr Real shift = RealFormat<Real>::mantissa_bits + 1;
  constexpr auto power = static_cast<Real>(sizeof(Real) == 4 ? 0x1p24 : 0x1p53);
  const bool is_subnormal = x < RealFormat<Real>::smallest_normal;
  const LogParts<Real> parts = log_parts(is_subnormal ? x * power : x, is_subnormal ? -shift : Real{0});
  const Real finite = log_sum(parts.k_number, parts.f, Real{0});
  const Real infinity = __builtin_inff();
  const Real defined = x == 0 ? -infinity : x < infinity ? finite : x;
  return x < 0 ? static_cast<Real>(__builtin_nanf("")) : defined;
}

}  // namespace
}  // namespace tenure::cpu
