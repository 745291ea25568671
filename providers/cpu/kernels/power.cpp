// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include "complex_function.hpp"
#include "exp_function.hpp"
#include "log_function.hpp"
#include "node_row.hpp"

namespace tenure::cpu {
namespace {

// Minimax approximation of (2 atanh(s) - 2 s - 2/3 s^3) / s^5 in s^2 for the s = f / (2 + f) of log_parts,
// relative to 2 atanh(s) within 2^-73.
constexpr double log_tail_terms[] = {0x1.9999999999996p-2, 0x1.2492492492f51p-2, 0x1.c71c71c5968aep-3,
                                     0x1.745d18295bcd1p-3, 0x1.3b1364c7036a3p-3, 0x1.11206fa67fbbap-3,
                                     0x1.de3d587711a71p-4, 0x1.eac6ae8a9118bp-4};

// a * b; the product of the low parts is too small to matter.
TENURE_CPU_INLINE Pair<double> product_of(Pair<double> a, Pair<double> b) noexcept {
  const Pair<double> product = exact_product(a.high, b.high);
  return {product.high, product.low + (a.high * b.low + a.low * b.high)};
}

// log(x) of a positive normal x, relative to it within 2^-63: times an exponent that leaves it in the range
// of exp, it is still good to a few hundredths of a last place of exp.
TENURE_CPU_INLINE Pair<double> precise_log(double x) noexcept {
  const LogParts<double> parts = log_parts(x);
  const double f = parts.f;
  const Pair<double> divisor = exact_ordered_sum(2.0, f);
  const double inverse = 1.0 / divisor.high;
  const double quotient = f * inverse;
  const Pair<double> back = exact_product(quotient, divisor.high);
  const double rest = ((f - back.high) - back.low) - quotient * divisor.low;
  const Pair<double> s{quotient, rest * inverse};
  const Pair<double> z = product_of(s, s);
  const Pair<double> cubic = product_of(product_of(z, s), {0x1.5555555555555p-1, 0x1.5555555555555p-55});
  const double tail = s.high * z.high * z.high * polynomial<log_tail_terms>(z.high);

  const Pair<double> first = exact_ordered_sum(parts.k_number * RealFormat<double>::log2_high, 2 * s.high);
  const Pair<double> second = exact_ordered_sum(first.high, cubic.high);
  const double small = (2 * s.low + cubic.low + tail) + parts.k_number * RealFormat<double>::log2_low;
  return exact_ordered_sum(second.high, (first.low + second.low) + small);
}

TENURE_CPU_INLINE double positive_power(double x, double y) noexcept {
  const Pair<double> logarithm = precise_log(x);
  const Pair<double> exact = exact_product(y, logarithm.high);
  const bool is_in_range = absolute(exact.high) < 800.0;
  const double low = multiply_add(y, logarithm.low, exact.low);
  return exp_of(Pair<double>{exact.high, is_in_range ? low : 0.0});
}
// In f64 the plain logarithm of an f32 is precise.
TENURE_CPU_INLINE float positive_power(float x, float y) noexcept {
  const LogParts<double> parts = log_parts(static_cast<double>(x));
  const double logarithm = log_sum(parts.k_number, parts.f, 0.0);
  return static_cast<float>(exp_of(static_cast<double>(y) * logarithm));
}

// |x|^y with the sign that an odd y gives a negative x; NaN where y is no integer then.
template <class Real>
TENURE_CPU_INLINE Real power_of(Real x, Real y) noexcept {
  using Bits = UnsignedOf<Real>;
  constexpr Real magic = RealFormat<Real>::integer_magic;
  const Real magnitude = positive_power(absolute(x), y);
  const Real shifted = y + magic;
  const bool is_integer = shifted - magic == y;
  const Bits sign = std::bit_cast<Bits>(shifted) << (8 * sizeof(Real) - 1);
  const Real odd = std::bit_cast<Real>(std::bit_cast<Bits>(magnitude) ^ sign);
  const Real negative = is_integer ? odd : static_cast<Real>(__builtin_nanf(""));
  return x < 0 ? negative : magnitude;
}

struct Pow {
  static constexpr std::uint32_t number = TENURE_FN_POW;
  TENURE_CPU_INLINE static float apply(float a, float b) noexcept { return power_of(a, b); }
  TENURE_CPU_INLINE static double apply(double a, double b) noexcept { return power_of(a, b); }
  template <class Real>
  static Complex<Real> apply(Complex<Real> a, Complex<Real> b) noexcept {
    return power(a, b);
  }
  // The engine has made sure that no exponent is negative.
  template <class T>
  requires std::is_integral_v<T>
  static T apply(T a, T b) noexcept {
    auto exponent = static_cast<std::make_unsigned_t<T>>(b);
    auto base = static_cast<std::uint64_t>(a);
    std::uint64_t result = 1;
    while (exponent != 0) {
      if ((exponent & 1u) != 0) result *= base;
      base *= base;
      exponent = static_cast<std::make_unsigned_t<T>>(exponent >> 1);
    }
    return static_cast<T>(result);
  }

  // Finite, and an exponent whose last bit the magic number finds.
  template <class Real>
  requires std::is_floating_point_v<Real>
  static bool is_ordinary(Real a, Real b) noexcept {
    const Real size = absolute(a);
    const Real last = std::bit_cast<Real>(std::bit_cast<UnsignedOf<Real>>(Real(__builtin_inff())) - 1);
    return (size >= RealFormat<Real>::smallest_normal) & (size <= last) &
           (absolute(b) < RealFormat<Real>::integer_magic / 4);
  }
  static float apply_other(float a, float b) noexcept { return __builtin_powf(a, b); }
  static double apply_other(double a, double b) noexcept { return __builtin_pow(a, b); }
};

struct Rsqrt {
  static constexpr std::uint32_t number = TENURE_FN_RSQRT;
  TENURE_CPU_INLINE static float apply(float a) noexcept {
    return static_cast<float>(1.0 / __builtin_sqrt(a));
  }
  // The quotient, and where its errors are numbers, those of the root and of the division made good.
  TENURE_CPU_INLINE static double apply(double a) noexcept {
    const double root = __builtin_sqrt(a);
    const double inverse = 1.0 / root;
    const Pair<double> square = exact_product(root, root);
    const Pair<double> one = exact_product(root, inverse);
    const double lost =
        ((1.0 - one.high) - one.low) - 0.5 * ((a - square.high) - square.low) * inverse * inverse;
    const bool has_errors = inverse > 0x1p-513 && inverse < 0x1p484;
    return has_errors ? multiply_add(inverse, lost, inverse) : inverse;
  }
  template <class Real>
  static Complex<Real> apply(Complex<Real> a) noexcept {
    return quotient({1, 0}, square_root(a));
  }
};

struct Reciprocal {
  static constexpr std::uint32_t number = TENURE_FN_RECIPROCAL;
  template <class Real>
  requires std::is_floating_point_v<Real> TENURE_CPU_INLINE static Real apply(Real a) noexcept {
    return Real{1} / a;
  }
  template <class Real>
  static Complex<Real> apply(Complex<Real> a) noexcept {
    return quotient({1, 0}, a);
  }
};

}  // namespace

constinit const PowerTable TENURE_CPU_ISA::power_table{node_row<Pow>(), node_row<Rsqrt>(),
                                                       node_row<Reciprocal>()};

}  // namespace tenure::cpu
