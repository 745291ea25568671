// SPDX-License-Identifier: Apache-2.0
#include "complex_function.hpp"
#include "exp_function.hpp"
#include "node_row.hpp"

namespace tenure::cpu {
namespace {

struct Exp {
  static constexpr std::uint32_t number = TENURE_FN_EXP;
  TENURE_CPU_INLINE static float apply(float a) noexcept { return normal_exp_of(a); }
  TENURE_CPU_INLINE static double apply(double a) noexcept { return normal_exp_of(a); }
  template <class Real>
  static Complex<Real> apply(Complex<Real> a) noexcept {
    return exponential(a);
  }
  static bool is_ordinary(float a) noexcept { return absolute(a) < 87.0f; }
  static bool is_ordinary(double a) noexcept { return absolute(a) < 708.0; }
  template <class Real>
  TENURE_CPU_INLINE static Real apply_any(Real a) noexcept {
    return exp_of(a);
  }
};

// exp(x) - 1 = 2 (2^(k - 1) (1 + r + ...) - 1/2): the half keeps the highest k in range. The term r^2 / 2 is
// added without an error, since it may come near to what is left of the terms before it.
struct Expm1 {
  static constexpr std::uint32_t number = TENURE_FN_EXPM1;
  TENURE_CPU_INLINE static float apply(float a) noexcept {
    return static_cast<float>(apply(static_cast<double>(a)));
  }
  TENURE_CPU_INLINE static double apply(double a) noexcept {
    constexpr double lowest = -40.0;  // below: -1
    const ExpParts<double> parts = exp_parts(held_in_exp_range(a < lowest ? lowest : a));
    const double power = power_of_two<double>(parts.k - 1);
    const Pair<double> square = exact_product(parts.r, parts.r);
    const Pair<double> constant = exact_sum(power, -0.5);
    const Pair<double> linear = exact_ordered_sum(constant.high, power * parts.r);
    const Pair<double> quadratic = exact_ordered_sum(linear.high, power * (0.5 * square.high));
    const double rest = multiply_add(square.high, parts.q - 0.5, multiply_add(0.5, square.low, parts.r_low));
    const double low = multiply_add(power, rest, constant.low + (linear.low + quadratic.low));
    // The smallest numbers have no half.
    return absolute(a) < 0x1p-54 ? a : 2 * (quadratic.high + low);
  }
};

// tanh(y) = -e / (1 + e) with e = (exp(-2 y) - 1) / 2.
template <class Real>
TENURE_CPU_INLINE Real tanh_of(Real x) noexcept {
  constexpr Real highest = sizeof(Real) == 4 ? Real{9.5} : Real{20};  // above: 1
  const Real y = absolute(x);
  const ExpParts<Real> parts = exp_parts(Real{-2} * (y > highest ? highest : y));
  const Real power = power_of_two<Real>(parts.k - 1);
  const Pair<Real> fraction = exact_ordered_sum(Real{1}, parts.r);
  const Pair<Real> sum = exact_ordered_sum(Real{-0.5}, power * fraction.high);
  const Pair<Real> e = exact_ordered_sum(sum.high, multiply_add(power, fraction.low + parts.rest(), sum.low));
  Pair<Real> divisor = exact_ordered_sum(Real{1}, e.high);
  divisor.low += e.low;
  return with_sign_of(x, quotient_of({-e.high, -e.low}, divisor));
}

// Minimax approximations of (tanh(x) - x) / x^3 in x^2 for |x| < 0.7, relative to tanh(x) within 2^-25, of
// exp(-2 r) for |r| <= log(2) / 4 within 2^-25, and of 2 / (1 + e) for 0 <= e < exp(-1.4) within 2^-28, all
// with their rounded coefficients.
constexpr float near_tanh_terms[] = {-0x1.5554f6p-2f, 0x1.10faeep-3f, -0x1.b6c116p-5f, 0x1.492fe0p-6f,
                                     -0x1.50c494p-8f};
constexpr float power_terms[] = {0x1p+0f,        -0x1p+1f,        0x1.fffffap+0f, -0x1.55540ap+0f,
                                 0x1.55589ap-1f, -0x1.126d0cp-2f, 0x1.6ab95cp-4f};
constexpr float quotient_terms[] = {0x1.fffffep+0f, -0x1.ffff40p+0f, 0x1.ffe472p+0f, -0x1.fe1cbap+0f,
                                    0x1.ee053ep+0f, -0x1.9e618ap+0f, 0x1.a550a6p-1f};

// Without a division: 1 - 2 e / (1 + e) with e = exp(-2 |x|) from where e is so small that its error is lost
// in the last rounding, a polynomial before that. Needs the fused multiplication.
TENURE_CPU_INLINE float short_tanh_of(float x) noexcept {
  constexpr float near_end = 0.7f;
  constexpr float highest = 20.0f;  // above: 1
  constexpr float minus_two_over_log2 = -0x1.715476p+1f;
  constexpr float half_log2 = 0x1.62e43p-2f;
  constexpr float magic = RealFormat<float>::integer_magic;
  const float size = absolute(x);
  const float y = size > highest ? highest : size;
  const float shifted = multiply_add(y, minus_two_over_log2, magic);
  const float r = multiply_add(shifted - magic, half_log2, y);
  const std::uint32_t fraction = std::bit_cast<std::uint32_t>(polynomial<power_terms>(r));
  const std::uint32_t exponent = std::bit_cast<std::uint32_t>(shifted) << RealFormat<float>::mantissa_bits;
  const float e = std::bit_cast<float>(fraction + exponent);
  const float far = multiply_add(-e, polynomial<quotient_terms>(e), 1.0f);
  const float square = x * x;
  const float near = multiply_add(square * size, polynomial<near_tanh_terms>(square), size);
  return with_sign_of(x, size >= near_end ? far : near);
}

struct Tanh {
  static constexpr std::uint32_t number = TENURE_FN_TANH;
  TENURE_CPU_INLINE static float apply(float a) noexcept {
    return has_fused_multiply_add ? short_tanh_of(a) : tanh_of(a);
  }
  // The smallest numbers have no half.
  TENURE_CPU_INLINE static double apply(double a) noexcept { return absolute(a) < 0x1p-54 ? a : tanh_of(a); }
  template <class Real>
  static Complex<Real> apply(Complex<Real> a) noexcept {
    return hyperbolic_tangent(a);
  }
};

// With z = exp(-|x|) it is 1 / (1 + z) or z / (1 + z). The numerator's power of two comes last, so that
// results below the normal numbers are rounded once.
struct Sigmoid {
  static constexpr std::uint32_t number = TENURE_FN_SIGMOID;
  TENURE_CPU_INLINE static float apply(float a) noexcept {
    return static_cast<float>(apply(static_cast<double>(a)));
  }
  TENURE_CPU_INLINE static double apply(double a) noexcept {
    const double y = -absolute(a);
    const double x = y < ExpConstants<double>::lowest ? ExpConstants<double>::lowest : y;
    const ExpParts<double> parts = exp_parts(x);
    Pair<double> fraction = exact_ordered_sum(1.0, parts.r);
    fraction = exact_ordered_sum(fraction.high, fraction.low + parts.rest());
    const double z = scaled_by(fraction.high, parts.k);
    Pair<double> divisor = exact_ordered_sum(1.0, z);
    divisor.low += scaled_by(fraction.low, parts.k);
    const bool is_negative = a < 0;
    const Pair<double> numerator{is_negative ? fraction.high : 1.0, is_negative ? fraction.low : 0.0};
    return scaled_by(quotient_of(numerator, divisor), is_negative ? parts.k : 0);
  }
};

}  // namespace

constinit const ExponentialTable TENURE_CPU_ISA::exponential_table{node_row<Exp>(), node_row<Expm1>(),
                                                                   node_row<Tanh>(), node_row<Sigmoid>()};

}  // namespace tenure::cpu
