// SPDX-License-Identifier: Apache-2.0
// exp_function: exp of real numbers, and its parts for functions that are made of it.
#pragma once

#include <bit>
#include <cstdint>

#include "compensated.hpp"
#include "real_format.hpp"

namespace tenure::cpu {
namespace {

template <class Real>
struct ExpConstants;

// The polynomials are minimax approximations of (exp(r) - 1 - r) / r^2 for |r| <= log(2) / 2, relative to
// exp(r) within 2^-59 and 2^-28.
template <>
struct ExpConstants<double> {
  static constexpr double lowest = -746.0;  // below: 0
  static constexpr double highest = 710.0;  // above: infinity
  static constexpr double log2_inverse = 0x1.71547652b82fep0;
  static constexpr double terms[] = {0x1p-1,
                                     0x1.5555555555557p-3,
                                     0x1.5555555555588p-5,
                                     0x1.11111111103ccp-7,
                                     0x1.6c16c16bf93d0p-10,
                                     0x1.a01a01aa07e5bp-13,
                                     0x1.a01a026a1238bp-16,
                                     0x1.71de0884230e7p-19,
                                     0x1.27e2c9b1e86bdp-22,
                                     0x1.af40bc930ac9dp-26,
                                     0x1.23451cebc23acp-29};
};

template <>
struct ExpConstants<float> {
  static constexpr float lowest = -105.0f;
  static constexpr float highest = 89.0f;
  static constexpr float log2_inverse = 0x1.715476p0f;
  static constexpr float terms[] = {0x1.fffffcp-2f, 0x1.555492p-3f, 0x1.5558f2p-5f, 0x1.123a2p-7f,
                                    0x1.6a23dp-10f};
};

// exp(x) = 2^k * (1 + r + r^2 q + r_low), where r + r_low is what x has beyond k log(2).
template <class Real>
struct ExpParts {
  UnsignedOf<Real> k;  // modulo the word
  Real r;
  Real r_low;
  Real q;

  TENURE_CPU_INLINE Real rest() const noexcept { return multiply_add(r * r, q, r_low); }
};

// Of x not far outside the range of exp. NaN passes through to r.
template <class Real>
TENURE_CPU_INLINE ExpParts<Real> exp_parts(Real x) noexcept {
  using Format = RealFormat<Real>;
  // Adding the magic number leaves the nearest integer in the last bits.
  const Real shifted = multiply_add(x, ExpConstants<Real>::log2_inverse, Format::integer_magic);
  const Real k = shifted - Format::integer_magic;
  const Real high = multiply_add(-k, Format::log2_high, x);
  const Real r = multiply_add(-k, Format::log2_low, high);
  const Real r_low = multiply_add(-k, Format::log2_low, high - r);
  constexpr auto magic_bits = std::bit_cast<UnsignedOf<Real>>(Format::integer_magic);
  return {std::bit_cast<UnsignedOf<Real>>(shifted) - magic_bits, r, r_low,
          polynomial<ExpConstants<Real>::terms>(r)};
}

// 2^exponent, which must be normal.
template <class Real>
TENURE_CPU_INLINE Real power_of_two(UnsignedOf<Real> exponent) noexcept {
  using Format = RealFormat<Real>;
  return std::bit_cast<Real>((exponent + Format::exponent_bias) << Format::mantissa_bits);
}

// x * 2^exponent, by way of two powers that are normal also when 2^exponent is not.
template <class Real>
TENURE_CPU_INLINE Real scaled_by(Real x, UnsignedOf<Real> exponent) noexcept {
  using Format = RealFormat<Real>;
  const UnsignedOf<Real> biased = exponent + 2 * Format::exponent_bias;
  const UnsignedOf<Real> half = biased >> 1;
  return x * std::bit_cast<Real>(half << Format::mantissa_bits) *
         std::bit_cast<Real>((biased - half) << Format::mantissa_bits);
}

template <class Real>
TENURE_CPU_INLINE Real held_in_exp_range(Real x) noexcept {
  using Constants = ExpConstants<Real>;
  x = x < Constants::lowest ? Constants::lowest : x;
  return x > Constants::highest ? Constants::highest : x;
}

// exp(r). A fused multiplication leaves so little for the last addition to round that the errors on the way
// to it can stay.
template <class Real>
TENURE_CPU_INLINE Real fraction_of(const ExpParts<Real>& parts) noexcept {
  if constexpr (has_fused_multiply_add) {
    return multiply_add(parts.r, multiply_add(parts.r, parts.q, Real{1}), Real{1});
  } else {
    const Pair<Real> sum = exact_ordered_sum(Real{1}, parts.r);
    return sum.high + (sum.low + parts.rest());
  }
}

template <class Real>
TENURE_CPU_INLINE Real exp_of(Real x) noexcept {
  const ExpParts<Real> parts = exp_parts(held_in_exp_range(x));
  return scaled_by(fraction_of(parts), parts.k);
}

// The same for x whose exp is a normal number, and not for NaN: 2^k goes into the exponent.
template <class Real>
TENURE_CPU_INLINE Real normal_exp_of(Real x) noexcept {
  using Bits = UnsignedOf<Real>;
  const ExpParts<Real> parts = exp_parts(x);
  const Bits fraction = std::bit_cast<Bits>(fraction_of(parts));
  return std::bit_cast<Real>(fraction + (parts.k << RealFormat<Real>::mantissa_bits));
}

// exp(x.high + x.low).
template <class Real>
TENURE_CPU_INLINE Real exp_of(Pair<Real> x) noexcept {
  const ExpParts<Real> parts = exp_parts(held_in_exp_range(x.high));
  const Pair<Real> sum = exact_ordered_sum(Real{1}, parts.r);
  const Real rest = parts.rest();
  return scaled_by(sum.high + (sum.low + multiply_add(sum.high + rest, x.low, rest)), parts.k);
}

}  // namespace
}  // namespace tenure::cpu
