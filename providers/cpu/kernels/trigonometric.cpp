// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include "compensated.hpp"
#include "complex_function.hpp"
#include "node_row.hpp"
#include "real_format.hpp"

namespace tenure::cpu {
namespace {

// Minimax approximations, for |r| <= pi / 4, of (sin(r) - r) / r^3 and (cos(r) - 1 + r^2 / 2) / r^4 in r^2,
// relative to the functions within 2^-57 and 2^-63 (f64), 2^-27 and 2^-32 (f32).
template <class Real>
struct SineTerms;
template <>
struct SineTerms<double> {
  static constexpr double sine[] = {-0x1.5555555555548p-3, 0x1.111111110f730p-7,   -0x1.a01a019be9219p-13,
                                    0x1.71de35552b547p-19, -0x1.ae5e4b83b466dp-26, 0x1.5d8b5574003a2p-33};
  static constexpr double cosine[] = {0x1.555555555554bp-5,   -0x1.6c16c16c15005p-10, 0x1.a01a019c8c7d7p-16,
                                      -0x1.27e4f7ef0d6d3p-22, 0x1.1ee9d9c69497cp-29,  -0x1.8fa5538bfd783p-37};
};
template <>
struct SineTerms<float> {
  static constexpr float sine[] = {-0x1.555546p-3f, 0x1.110774p-7f, -0x1.9951e8p-13f};
  static constexpr float cosine[] = {0x1.55554ap-5f, -0x1.6c0c28p-10f, 0x1.99e80cp-16f};
};

// x = k pi / 2 + r.high + r.low, |r| <= pi / 4 and a little.
template <class Real>
struct Angle {
  UnsignedOf<Real> k;  // modulo the word
  Pair<Real> r;
};

constexpr double two_over_pi = 0x1.45f306dc9c883p-1;

// pi / 2 in parts: where multiplications add, so that the product of k with the first is exactly subtracted
// and that with the second exact; otherwise so that the products with all but the last are exact.
constexpr double half_pi_fused[] = {0x1.921fb54442d18p0, 0x1.1a62633p-54, 0x1.45c06e0e68948p-86};
constexpr float half_pi_fused_f32[] = {0x1.921fb4p0f, 0x1.444p-24f, 0x1.68c234p-39f};
constexpr double half_pi[] = {0x1.921fb544p0, 0x1.0b4611a6p-34, 0x1.3198a2ep-69, 0x1.b839a252049c1p-104};

// Beyond these that is no longer so, and the C library is asked.
TENURE_CPU_INLINE bool is_moderate_angle(double x) noexcept { return absolute(x) < 0x1p20; }
TENURE_CPU_INLINE bool is_moderate_angle(float x) noexcept { return absolute(x) < 0x1.8p11f; }

// Where the second part is larger than what is left of x, their difference has so few bits that it is exact,
// and the sum need not be ordered.
template <class Real>
TENURE_CPU_INLINE Angle<Real> fused_angle_of(Real x, const Real (&parts)[3]) noexcept {
  const Real shifted = multiply_add(x, static_cast<Real>(two_over_pi), RealFormat<Real>::integer_magic);
  const Real k = shifted - RealFormat<Real>::integer_magic;
  const Real first = multiply_add(-k, parts[0], x);
  const Real high = multiply_add(-k, parts[1], first);
  const Real low = multiply_add(-k, parts[2], multiply_add(-k, parts[1], first - high));
  return {std::bit_cast<UnsignedOf<Real>>(shifted), {high, low}};
}

TENURE_CPU_INLINE Angle<double> angle_of(double x) noexcept {
  if constexpr (has_fused_multiply_add) return fused_angle_of(x, half_pi_fused);
  const double shifted = x * two_over_pi + RealFormat<double>::integer_magic;
  const double k = shifted - RealFormat<double>::integer_magic;
  const Pair<double> first = exact_sum(x - k * half_pi[0], -k * half_pi[1]);
  const Pair<double> second = exact_sum(first.high, -k * half_pi[2]);
  const Pair<double> r = exact_ordered_sum(second.high, second.low + first.low - k * half_pi[3]);
  return {std::bit_cast<std::uint64_t>(shifted), r};
}

TENURE_CPU_INLINE Angle<float> angle_of(float x) noexcept {
  if constexpr (has_fused_multiply_add) return fused_angle_of(x, half_pi_fused_f32);
  const double shifted = x * two_over_pi + RealFormat<double>::integer_magic;
  const double k = shifted - RealFormat<double>::integer_magic;
  const double r = (x - k * half_pi[0]) - k * half_pi[1];
  const float high = static_cast<float>(r);
  const float low = static_cast<float>(r - high);
  return {static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(shifted)), {high, low}};
}

// sin and cos of an angle up to pi / 4.
template <class Real>
TENURE_CPU_INLINE Real near_sine(Pair<Real> r, Real square) noexcept {
  return r.high + multiply_add(r.high * square, polynomial<SineTerms<Real>::sine>(square), r.low);
}
template <class Real>
TENURE_CPU_INLINE Real near_cosine(Pair<Real> r, Real square) noexcept {
  const Real p = polynomial<SineTerms<Real>::cosine>(square);
  if constexpr (has_fused_multiply_add) {
    return multiply_add(square, multiply_add(square, p, Real{-0.5}), Real{1});
  } else {
    const Pair<Real> first = exact_ordered_sum(Real{1}, Real{-0.5} * square);
    return first.high + (first.low + (square * square * p - r.high * r.low));
  }
}

// Of the whole angle where it costs nothing, otherwise of its larger part.
template <class Real>
TENURE_CPU_INLINE Real square_of(Pair<Real> r) noexcept {
  if constexpr (!has_fused_multiply_add) return r.high * r.high;
  return multiply_add(r.high, r.high, r.high * (r.low + r.low));
}

// sin(x + quarter pi / 2) for x >= 0.
template <class Real>
TENURE_CPU_INLINE UnsignedOf<Real> sine_bits(Real x, UnsignedOf<Real> quarter) noexcept {
  using Bits = UnsignedOf<Real>;
  const Angle<Real> angle = angle_of(x);
  const Bits k = angle.k + quarter;
  const Real square = square_of(angle.r);
  const Real sine = near_sine(angle.r, square);
  const Real cosine = near_cosine(angle.r, square);
  const Bits chosen = std::bit_cast<Bits>((k & 1) != 0 ? cosine : sine);
  return chosen ^ (k & 2) << (8 * sizeof(Real) - 2);
}

struct Sin {
  static constexpr std::uint32_t number = TENURE_FN_SIN;
  // The sign of x is carried past the reduction, which would lose that of -0.
  template <class Real>
  requires std::is_floating_point_v<Real> TENURE_CPU_INLINE static Real apply(Real a) noexcept {
    using Bits = UnsignedOf<Real>;
    const Real size = absolute(a);
    return std::bit_cast<Real>(sine_bits(size, Bits{0}) ^
                               (std::bit_cast<Bits>(a) ^ std::bit_cast<Bits>(size)));
  }
  template <class Real>
  static Complex<Real> apply(Complex<Real> a) noexcept {
    return sine(a);
  }
  static bool is_ordinary(float a) noexcept { return is_moderate_angle(a); }
  static bool is_ordinary(double a) noexcept { return is_moderate_angle(a); }
  static float apply_other(float a) noexcept { return __builtin_sinf(a); }
  static double apply_other(double a) noexcept { return __builtin_sin(a); }
};

struct Cos {
  static constexpr std::uint32_t number = TENURE_FN_COS;
  template <class Real>
  requires std::is_floating_point_v<Real> TENURE_CPU_INLINE static Real apply(Real a) noexcept {
    return std::bit_cast<Real>(sine_bits(absolute(a), UnsignedOf<Real>{1}));
  }
  template <class Real>
  static Complex<Real> apply(Complex<Real> a) noexcept {
    return cosine(a);
  }
  static bool is_ordinary(float a) noexcept { return is_moderate_angle(a); }
  static bool is_ordinary(double a) noexcept { return is_moderate_angle(a); }
  static float apply_other(float a) noexcept { return __builtin_cosf(a); }
  static double apply_other(double a) noexcept { return __builtin_cos(a); }
};

// Both with their rounding errors, for the quotient.
struct SineCosine {
  Pair<double> sine;
  Pair<double> cosine;
};
TENURE_CPU_INLINE SineCosine sine_cosine(Pair<double> r) noexcept {
  const double z = r.high * r.high;
  const Pair<double> first = exact_ordered_sum(1.0, -0.5 * z);
  const double sine = multiply_add(r.high * z, polynomial<SineTerms<double>::sine>(z), r.low * first.high);
  const double cosine = multiply_add(z * z, polynomial<SineTerms<double>::cosine>(z), -(r.high * r.low));
  return {exact_ordered_sum(r.high, sine), exact_ordered_sum(first.high, first.low + cosine)};
}

struct Tan {
  static constexpr std::uint32_t number = TENURE_FN_TAN;
  TENURE_CPU_INLINE static float apply(float a) noexcept {
    return static_cast<float>(apply(static_cast<double>(a)));
  }
  TENURE_CPU_INLINE static double apply(double a) noexcept {
    const Angle<double> angle = angle_of(a);
    const auto [sine, cosine] = sine_cosine(angle.r);
    const bool is_swapped = (angle.k & 1) != 0;
    const Pair<double> numerator{is_swapped ? -cosine.high : sine.high, is_swapped ? -cosine.low : sine.low};
    const Pair<double> divisor{is_swapped ? sine.high : cosine.high, is_swapped ? sine.low : cosine.low};
    // Of the smallest numbers the rounding errors are no numbers.
    return absolute(a) < 0x1p-54 ? a : quotient_of(numerator, divisor);
  }
  template <class Real>
  static Complex<Real> apply(Complex<Real> a) noexcept {
    return tangent(a);
  }
  static bool is_ordinary(float a) noexcept { return is_moderate_angle(static_cast<double>(a)); }
  static bool is_ordinary(double a) noexcept { return is_moderate_angle(a); }
  static float apply_other(float a) noexcept {
    return static_cast<float>(__builtin_tan(static_cast<double>(a)));
  }
  static double apply_other(double a) noexcept { return __builtin_tan(a); }
};

struct Atan2 {
  static constexpr std::uint32_t number = TENURE_FN_ATAN2;
  TENURE_CPU_INLINE static float apply(float y, float x) noexcept {
    return static_cast<float>(apply(static_cast<double>(y), static_cast<double>(x)));
  }
  TENURE_CPU_INLINE static double apply(double y, double x) noexcept { return __builtin_atan2(y, x); }
};

}  // namespace

constinit const TrigonometricTable TENURE_CPU_ISA::trigonometric_table{node_row<Sin>(), node_row<Cos>(),
                                                                       node_row<Tan>(), node_row<Atan2>()};

}  // namespace tenure::cpu
