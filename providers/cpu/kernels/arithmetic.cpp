// SPDX-License-Identifier: Apache-2.0
#include "complex_function.hpp"
#include "node_row.hpp"

namespace tenure::cpu {
namespace {

// Integers are computed as unsigned numbers of at least 32 bits, so that they wrap and are not promoted.
template <class T>
auto wrapping(T value) noexcept {
  if constexpr (sizeof(T) < 4) {
    return static_cast<std::uint32_t>(value);
  } else {
    return static_cast<std::make_unsigned_t<T>>(value);
  }
}

struct Neg {
  static constexpr std::uint32_t number = TENURE_FN_NEG;
  template <class T>
  static T apply(T a) noexcept {
    if constexpr (is_complex_element<T>) {
      return {-a.re, -a.im};
    } else if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(0u - wrapping(a));
    } else {
      return -a;
    }
  }
};

struct Conj {
  static constexpr std::uint32_t number = TENURE_FN_CONJ;
  template <class T>
  static T apply(T a) noexcept {
    if constexpr (is_complex_element<T>) {
      return {a.re, -a.im};
    } else {
      return a;
    }
  }
};

struct Abs {
  static constexpr std::uint32_t number = TENURE_FN_ABS;
  static float apply(float a) noexcept { return __builtin_fabsf(a); }
  static double apply(double a) noexcept { return __builtin_fabs(a); }
  template <class Real>
  static Real apply(Complex<Real> a) noexcept {
    return magnitude(a);
  }
  template <class T>
  requires std::is_integral_v<T>
  static T apply(T a) noexcept { return a < 0 ? Neg::apply(a) : a; }
};

struct Sqrt {
  static constexpr std::uint32_t number = TENURE_FN_SQRT;
  static float apply(float a) noexcept { return __builtin_sqrtf(a); }
  static double apply(double a) noexcept { return __builtin_sqrt(a); }
  template <class Real>
  static Complex<Real> apply(Complex<Real> a) noexcept {
    return square_root(a);
  }
};

struct Add {
  static constexpr std::uint32_t number = TENURE_FN_ADD;
  template <class T>
  static T apply(T a, T b) noexcept {
    if constexpr (is_complex_element<T>) {
      return {a.re + b.re, a.im + b.im};
    } else if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(wrapping(a) + wrapping(b));
    } else {
      return a + b;
    }
  }
};

struct Subtract {
  static constexpr std::uint32_t number = TENURE_FN_SUBTRACT;
  template <class T>
  static T apply(T a, T b) noexcept {
    if constexpr (is_complex_element<T>) {
      return {a.re - b.re, a.im - b.im};
    } else if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(wrapping(a) - wrapping(b));
    } else {
      return a - b;
    }
  }
};

struct Multiply {
  static constexpr std::uint32_t number = TENURE_FN_MULTIPLY;
  template <class T>
  static T apply(T a, T b) noexcept {
    if constexpr (is_complex_element<T>) {
      return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    } else if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(wrapping(a) * wrapping(b));
    } else {
      return a * b;
    }
  }
};

struct Divide {
  static constexpr std::uint32_t number = TENURE_FN_DIVIDE;
  template <class Real>
  static Complex<Real> apply(Complex<Real> a, Complex<Real> b) noexcept {
    return quotient(a, b);
  }
  // The engine has made sure that no integer divisor is 0.
  template <class T>
  static T apply(T a, T b) noexcept {
    if constexpr (std::is_signed_v<T> && std::is_integral_v<T>) {
      return b == -1 ? Neg::apply(a) : static_cast<T>(a / b);
    } else {
      return static_cast<T>(a / b);
    }
  }
};

struct Maximum {
  static constexpr std::uint32_t number = TENURE_FN_MAXIMUM;
  template <class T>
  static T apply(T a, T b) noexcept {
    return (a > b || a != a) ? a : b;
  }
};

struct Minimum {
  static constexpr std::uint32_t number = TENURE_FN_MINIMUM;
  template <class T>
  static T apply(T a, T b) noexcept {
    return (a < b || a != a) ? a : b;
  }
};

}  // namespace

constinit const ArithmeticTable TENURE_CPU_ISA::arithmetic_table{
    node_row<Neg>(),      node_row<Conj>(),     node_row<Abs>(),    node_row<Sqrt>(),    node_row<Add>(),
    node_row<Subtract>(), node_row<Multiply>(), node_row<Divide>(), node_row<Maximum>(), node_row<Minimum>(),
};

}  // namespace tenure::cpu
