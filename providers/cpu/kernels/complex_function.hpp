// SPDX-License-Identifier: Apache-2.0
// complex_function: functions of complex numbers that do not overflow before their result does.
#pragma once

#include <bit>
#include <cstdint>

#include "element.hpp"

namespace tenure::cpu {
namespace {

// The C library's complex numbers. Its functions are called by their builtin names: those of the C++ library
// are inline functions, of which the linker keeps the copy of any one ISA level.
__extension__ typedef __complex__ float LibraryComplex64;
__extension__ typedef __complex__ double LibraryComplex128;

TENURE_CPU_INLINE Complex<float> square_root(Complex<float> a) noexcept {
  return std::bit_cast<Complex<float>>(__builtin_csqrtf(std::bit_cast<LibraryComplex64>(a)));
}
TENURE_CPU_INLINE Complex<double> square_root(Complex<double> a) noexcept {
  return std::bit_cast<Complex<double>>(__builtin_csqrt(std::bit_cast<LibraryComplex128>(a)));
}

TENURE_CPU_INLINE Complex<float> exponential(Complex<float> a) noexcept {
  return std::bit_cast<Complex<float>>(__builtin_cexpf(std::bit_cast<LibraryComplex64>(a)));
}
TENURE_CPU_INLINE Complex<double> exponential(Complex<double> a) noexcept {
  return std::bit_cast<Complex<double>>(__builtin_cexp(std::bit_cast<LibraryComplex128>(a)));
}

TENURE_CPU_INLINE Complex<float> logarithm(Complex<float> a) noexcept {
  return std::bit_cast<Complex<float>>(__builtin_clogf(std::bit_cast<LibraryComplex64>(a)));
}
TENURE_CPU_INLINE Complex<double> logarithm(Complex<double> a) noexcept {
  return std::bit_cast<Complex<double>>(__builtin_clog(std::bit_cast<LibraryComplex128>(a)));
}

TENURE_CPU_INLINE Complex<float> sine(Complex<float> a) noexcept {
  return std::bit_cast<Complex<float>>(__builtin_csinf(std::bit_cast<LibraryComplex64>(a)));
}
TENURE_CPU_INLINE Complex<double> sine(Complex<double> a) noexcept {
  return std::bit_cast<Complex<double>>(__builtin_csin(std::bit_cast<LibraryComplex128>(a)));
}

TENURE_CPU_INLINE Complex<float> cosine(Complex<float> a) noexcept {
  return std::bit_cast<Complex<float>>(__builtin_ccosf(std::bit_cast<LibraryComplex64>(a)));
}
TENURE_CPU_INLINE Complex<double> cosine(Complex<double> a) noexcept {
  return std::bit_cast<Complex<double>>(__builtin_ccos(std::bit_cast<LibraryComplex128>(a)));
}

TENURE_CPU_INLINE Complex<float> tangent(Complex<float> a) noexcept {
  return std::bit_cast<Complex<float>>(__builtin_ctanf(std::bit_cast<LibraryComplex64>(a)));
}
TENURE_CPU_INLINE Complex<double> tangent(Complex<double> a) noexcept {
  return std::bit_cast<Complex<double>>(__builtin_ctan(std::bit_cast<LibraryComplex128>(a)));
}

TENURE_CPU_INLINE Complex<float> hyperbolic_tangent(Complex<float> a) noexcept {
  return std::bit_cast<Complex<float>>(__builtin_ctanhf(std::bit_cast<LibraryComplex64>(a)));
}
TENURE_CPU_INLINE Complex<double> hyperbolic_tangent(Complex<double> a) noexcept {
  return std::bit_cast<Complex<double>>(__builtin_ctanh(std::bit_cast<LibraryComplex128>(a)));
}

// exp(b log(a)); in f64, so that complex64 loses nothing on the way.
TENURE_CPU_INLINE Complex<double> power(Complex<double> a, Complex<double> b) noexcept {
  if (b.re == 0 && b.im == 0) return {1, 0};
  if (a.re == 0 && a.im == 0 && b.re > 0) return {0, 0};
  return std::bit_cast<Complex<double>>(
      __builtin_cpow(std::bit_cast<LibraryComplex128>(a), std::bit_cast<LibraryComplex128>(b)));
}
TENURE_CPU_INLINE Complex<float> power(Complex<float> a, Complex<float> b) noexcept {
  const Complex<double> wide = power(Complex<double>{a.re, a.im}, Complex<double>{b.re, b.im});
  return {static_cast<float>(wide.re), static_cast<float>(wide.im)};
}

TENURE_CPU_INLINE float magnitude(Complex<float> a) noexcept { return __builtin_hypotf(a.re, a.im); }
TENURE_CPU_INLINE double magnitude(Complex<double> a) noexcept { return __builtin_hypot(a.re, a.im); }

// a / b by way of the smaller part of b over the larger one. What is divided by 0 becomes infinite or NaN
// part by part. Overflows where a part of a or b is near the end of the range.
TENURE_CPU_INLINE Complex<double> quotient_of_moderate(Complex<double> a, Complex<double> b) noexcept {
  if (b.re == 0 && b.im == 0) return {a.re / __builtin_fabs(b.re), a.im / __builtin_fabs(b.re)};
  if (__builtin_fabs(b.re) >= __builtin_fabs(b.im)) {
    const double ratio = b.im / b.re;
    const double scale = b.re + b.im * ratio;
    return {(a.re + a.im * ratio) / scale, (a.im - a.re * ratio) / scale};
  }
  const double ratio = b.re / b.im;
  const double scale = b.re * ratio + b.im;
  return {(a.re * ratio + a.im) / scale, (a.im * ratio - a.re) / scale};
}

// The exponent of the larger part, so bounded that 2 to its power and to its negative are normal numbers.
TENURE_CPU_INLINE std::int64_t exponent_of(Complex<double> a) noexcept {
  constexpr std::int64_t bias = 1023;
  constexpr std::int64_t exponent_max = 1022;
  const auto exponent = [](double part) {
    return static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(__builtin_fabs(part)) >> 52) - bias;
  };
  const std::int64_t re = exponent(a.re);
  const std::int64_t im = exponent(a.im);
  const std::int64_t larger = re > im ? re : im;
  return larger > exponent_max ? exponent_max : larger < -exponent_max ? -exponent_max : larger;
}

TENURE_CPU_INLINE Complex<double> scaled(Complex<double> a, std::int64_t exponent) noexcept {
  const double power = std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
  return {a.re * power, a.im * power};
}

// Both operands are brought near 1 by powers of two, and the result back in two steps, of which the second
// one alone may round.
TENURE_CPU_INLINE Complex<double> quotient(Complex<double> a, Complex<double> b) noexcept {
  const std::int64_t a_exponent = exponent_of(a);
  const std::int64_t b_exponent = exponent_of(b);
  const Complex<double> moderate = quotient_of_moderate(scaled(a, -a_exponent), scaled(b, -b_exponent));
  const std::int64_t exponent = a_exponent - b_exponent;
  const std::int64_t half = exponent / 2;
  return scaled(scaled(moderate, half), exponent - half);
}

// In f64 every f32 is moderate.
TENURE_CPU_INLINE Complex<float> quotient(Complex<float> a, Complex<float> b) noexcept {
  const Complex<double> wide = quotient_of_moderate({a.re, a.im}, {b.re, b.im});
  return {static_cast<float>(wide.re), static_cast<float>(wide.im)};
}

}  // namespace
}  // namespace tenure::cpu
