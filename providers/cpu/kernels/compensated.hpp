// SPDX-License-Identifier: Apache-2.0
// compensated: arithmetic that keeps its rounding errors, and polynomials.
#pragma once

#include <cstddef>
#include <iterator>

#include "half_float.hpp"

namespace tenure::cpu {
namespace {

#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
constexpr bool has_fused_multiply_add = true;
#else
constexpr bool has_fused_multiply_add = false;
#endif

// a * b + c, rounded once where the level has the instruction, twice where it has not: at one level the
// result is always the same.
template <class Real>
TENURE_CPU_INLINE Real multiply_add(Real a, Real b, Real c) noexcept {
  if constexpr (!has_fused_multiply_add) {
    return a * b + c;
  } else if constexpr (sizeof(Real) == 4) {
    return __builtin_fmaf(a, b, c);
  } else {
    return __builtin_fma(a, b, c);
  }
}

// A number as a sum that its first term is nearest to.
template <class Real>
struct Pair {
  Real high;
  Real low;
};

// a + b without an error, for any a and b that do not overflow.
template <class Real>
TENURE_CPU_INLINE Pair<Real> exact_sum(Real a, Real b) noexcept {
  const Real sum = a + b;
  const Real b_part = sum - a;
  return {sum, (a - (sum - b_part)) + (b - b_part)};
}

// The same in fewer steps where a is 0 or not smaller than b.
template <class Real>
TENURE_CPU_INLINE Pair<Real> exact_ordered_sum(Real a, Real b) noexcept {
  const Real sum = a + b;
  return {sum, (a - sum) + b};
}

// The upper and the lower half of the bits.
template <class Real>
TENURE_CPU_INLINE Pair<Real> halves(Real a) noexcept {
  constexpr auto splitter = static_cast<Real>(sizeof(Real) == 4 ? 0x1p12 + 1 : 0x1p27 + 1);
  const Real shifted = a * splitter;
  const Real high = shifted - (shifted - a);
  return {high, a - high};
}

// a * b without an error, where neither it nor 2^27 a overflows and it is not near the subnormal numbers.
template <class Real>
TENURE_CPU_INLINE Pair<Real> exact_product(Real a, Real b) noexcept {
  const Real product = a * b;
  if constexpr (has_fused_multiply_add) {
    return {product, multiply_add(a, b, -product)};
  } else {
    const Pair<Real> x = halves(a);
    const Pair<Real> y = halves(b);
    return {product, ((x.high * y.high - product) + x.high * y.low + x.low * y.high) + x.low * y.low};
  }
}

// n / d, the error of the first quotient made good; wrong by little more than its last rounding.
template <class Real>
TENURE_CPU_INLINE Real quotient_of(Pair<Real> n, Pair<Real> d) noexcept {
  const Real inverse = Real{1} / d.high;
  const Real quotient = n.high * inverse;
  const Pair<Real> product = exact_product(quotient, d.high);
  const Real rest = ((n.high - product.high) - product.low) + (n.low - quotient * d.low);
  return multiply_add(rest, inverse, quotient);
}

// Terms[Index] + Terms[Index + 1] x + ..., by recursion: a loop would keep the outer one from being
// vectorised.
template <const auto& Terms, std::size_t Index = 0, class Real>
TENURE_CPU_INLINE Real polynomial(Real x) noexcept {
  if constexpr (Index + 1 == std::size(Terms)) {
    return Terms[Index];
  } else {
    return multiply_add(polynomial<Terms, Index + 1>(x), x, Terms[Index]);
  }
}

}  // namespace
}  // namespace tenure::cpu
