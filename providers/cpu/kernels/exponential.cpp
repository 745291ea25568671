// SPDX-License-Identifier: Apache-2.0
#include "complex_function.hpp"
#include "node_row.hpp"

namespace tenure::cpu {
namespace {

// a * b + c, rounded once where the level has the instruction, twice where it has not: at one level the
// result is always the same.
template <class Real>
TENURE_CPU_INLINE Real multiply_add(Real a, Real b, Real c) noexcept {
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
  if constexpr (sizeof(Real) == 4) {
    return __builtin_fmaf(a, b, c);
  } else {
    return __builtin_fma(a, b, c);
  }
#else
  return a * b + c;
#endif
}

template <class Real>
struct ExpConstants;

// The polynomials are minimax approximations of (exp(r) - 1 - r) / r^2 for |r| <= log(2) / 2, relative to
// exp(r) within 2^-59 and 2^-28. log2_high has so few bits that its product with any exponent is exact.
template <>
struct ExpConstants<double> {
  using Bits = std::uint64_t;
  static constexpr int mantissa_bits = 52;
  static constexpr Bits exponent_bias = 1023;
  static constexpr double lowest = -746.0;  // below: 0
  static constexpr double highest = 710.0;  // above: infinity
  static constexpr double round_magic = 0x1.8p52;
  static constexpr double log2_inverse = 0x1.71547652b82fep0;
  static constexpr double log2_high = 0x1.62e42fefa38p-1;
  static constexpr double log2_low = 0x1.ef35793c7673p-45;
  static constexpr double polynomial[] = {0x1p-1,
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
  using Bits = std::uint32_t;
  static constexpr int mantissa_bits = 23;
  static constexpr Bits exponent_bias = 127;
  static constexpr float lowest = -105.0f;
  static constexpr float highest = 89.0f;
  static constexpr float round_magic = 0x1.8p23f;
  static constexpr float log2_inverse = 0x1.715476p0f;
  static constexpr float log2_high = 0x1.62e4p-1f;
  static constexpr float log2_low = 0x1.7f7d1cp-20f;
  static constexpr float polynomial[] = {0x1.fffffcp-2f, 0x1.555492p-3f, 0x1.5558f2p-5f, 0x1.123a2p-7f,
                                         0x1.6a23dp-10f};
};

// The terms from Index on, by recursion: a loop would keep the outer one from being vectorised.
template <class Real, std::size_t Index>
TENURE_CPU_INLINE Real polynomial(Real r) noexcept {
  constexpr auto& terms = ExpConstants<Real>::polynomial;
  if constexpr (Index + 1 == std::size(terms)) {
    return terms[Index];
  } else {
    return multiply_add(polynomial<Real, Index + 1>(r), r, terms[Index]);
  }
}

// exp(x) = 2^k * exp(r) with x = k * log(2) + r. NaN passes through every step.
template <class Real>
TENURE_CPU_INLINE Real exp_of(Real x) noexcept {
  using Constants = ExpConstants<Real>;
  using Bits = typename Constants::Bits;
  x = x < Constants::lowest ? Constants::lowest : x;
  x = x > Constants::highest ? Constants::highest : x;

  // Adding the magic number leaves the nearest integer in the last bits.
  const Real k = (x * Constants::log2_inverse + Constants::round_magic) - Constants::round_magic;
  const Real high = multiply_add(-k, Constants::log2_high, x);
  const Real r = multiply_add(-k, Constants::log2_low, high);
  const Real r_error = multiply_add(-k, Constants::log2_low, high - r);

  const Real q = polynomial<Real, 0>(r);
  // 1 + r + r^2 q, with the rounding errors of r and of 1 + r carried into the last addition.
  const Real sum = Real{1} + r;
  const Real sum_error = (Real{1} - sum) + r;
  const Real fraction = sum + (sum_error + multiply_add(r * r, q, r_error));

  // 2^k as a product of two numbers that are normal also when 2^k is not.
  const Real half = (k * Real{0.5} + Constants::round_magic) - Constants::round_magic;
  const auto power_of_two = [](Real exponent) {
    const Bits biased = std::bit_cast<Bits>(exponent + Constants::round_magic) + Constants::exponent_bias;
    return std::bit_cast<Real>(biased << Constants::mantissa_bits);
  };
  return fraction * power_of_two(half) * power_of_two(k - half);
}

struct Exp {
  static constexpr std::uint32_t number = TENURE_FN_EXP;
  static float apply(float a) noexcept { return exp_of(a); }
  static double apply(double a) noexcept { return exp_of(a); }
  template <class Real>
  static Complex<Real> apply(Complex<Real> a) noexcept {
    return exponential(a);
  }
};

}  // namespace

constinit const ExponentialTable TENURE_CPU_ISA::exponential_table{node_row<Exp>()};

}  // namespace tenure::cpu
