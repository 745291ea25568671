// SPDX-License-Identifier: Apache-2.0
#include "function_reference.hpp"

#include <cmath>
#include <complex>
#include <limits>
#include <optional>
#include <stdexcept>

#include "tenure/provider_engine.h"

namespace cpu_test {
namespace {

// Room for any integer; products wrap far beyond the bits that are kept.
__extension__ typedef __int128 Wide;
__extension__ typedef unsigned __int128 UnsignedWide;

Number wrap(Wide value, Dtype dtype) {
  const tenure_dtype found = to_abi(dtype);
  const Wide modulus = Wide{1} << found.bits;
  Wide wrapped = value % modulus;
  if (wrapped < 0) wrapped += modulus;
  if (found.code == TENURE_DTYPE_INT && wrapped >= modulus / 2) wrapped -= modulus;
  return {static_cast<long double>(wrapped), 0};
}

// By squares, each product wrapped.
Number integer_power(Wide base, Wide exponent, Dtype dtype) {
  Number result{1, 0};
  while (exponent > 0) {
    const auto multiply = [dtype](Wide x, Wide y) {
      return wrap(static_cast<Wide>(static_cast<UnsignedWide>(x) * static_cast<UnsignedWide>(y)), dtype);
    };
    if (exponent % 2 == 1) result = multiply(static_cast<Wide>(result.re), base);
    base = static_cast<Wide>(multiply(base, base).re);
    exponent /= 2;
  }
  return result;
}

Number integer_function(std::uint32_t function, Dtype dtype, std::span<const Number> arguments) {
  const auto a = static_cast<Wide>(arguments[0].re);
  const auto b = arguments.size() > 1 ? static_cast<Wide>(arguments[1].re) : Wide{0};
  switch (function) {
    case TENURE_FN_NEG:
      return wrap(-a, dtype);
    case TENURE_FN_ABS:
      return wrap(a < 0 ? -a : a, dtype);
    case TENURE_FN_ADD:
      return wrap(a + b, dtype);
    case TENURE_FN_SUBTRACT:
      return wrap(a - b, dtype);
    case TENURE_FN_MULTIPLY:
      return wrap(static_cast<Wide>(static_cast<UnsignedWide>(a) * static_cast<UnsignedWide>(b)), dtype);
    case TENURE_FN_DIVIDE:
      return wrap(a / b, dtype);
    case TENURE_FN_CONJ:
    case TENURE_FN_FLOOR:
    case TENURE_FN_CEIL:
    case TENURE_FN_ROUND:
      return arguments[0];
    case TENURE_FN_SIGN:
      return wrap((a > 0) - (a < 0), dtype);
    case TENURE_FN_REMAINDER:
      return wrap(a % b, dtype);
    case TENURE_FN_POW:
      return integer_power(a, b, dtype);
    case TENURE_FN_MAXIMUM:
      return wrap(a > b ? a : b, dtype);
    case TENURE_FN_MINIMUM:
      return wrap(a < b ? a : b, dtype);
    default:
      throw std::runtime_error("no such function of integers");
  }
}

// Functions that need not be exact, of the exact arguments. The bounds are those of providers/cpu/README.md.
std::optional<Expected> transcendental(std::uint32_t function, std::span<const Number> arguments) {
  const long double a = arguments[0].re;
  const long double b = arguments.size() > 1 ? arguments[1].re : 0;
  const auto close = [](long double value) { return Expected{{value, 0}, 1.0}; };
  switch (function) {
    case TENURE_FN_EXP:
      return close(std::exp(a));
    case TENURE_FN_EXPM1:
      return close(std::expm1(a));
    case TENURE_FN_LOG:
      return close(std::log(a));
    case TENURE_FN_LOG1P:
      return close(std::log1p(a));
    case TENURE_FN_SIN:
      return close(std::sin(a));
    case TENURE_FN_COS:
      return close(std::cos(a));
    case TENURE_FN_TAN:
      return close(std::tan(a));
    case TENURE_FN_TANH:
      return close(std::tanh(a));
    case TENURE_FN_SIGMOID:
      return close(a < 0 ? std::exp(a) / (1 + std::exp(a)) : 1 / (1 + std::exp(-a)));
    case TENURE_FN_RSQRT:
      return Expected{{1 / std::sqrt(a), 0}, 1.5};
    case TENURE_FN_POW:
      return close(std::pow(a, b));
    case TENURE_FN_ATAN2:
      return close(std::atan2(a, b));
    default:
      return std::nullopt;
  }
}

// In the type that the dtype is computed in; then rounded once.
template <class Compute>
Expected real_function(std::uint32_t function, Dtype dtype, std::span<const Number> arguments) {
  if (const auto close = transcendental(function, arguments)) return *close;
  const auto a = static_cast<Compute>(arguments[0].re);
  const auto b = arguments.size() > 1 ? static_cast<Compute>(arguments[1].re) : Compute{0};
  const auto rounded = [dtype](Compute value) {
    return Expected{{round_to(static_cast<long double>(value), precision_of(dtype)), 0}};
  };
  switch (function) {
    case TENURE_FN_NEG:
      return rounded(-a);
    case TENURE_FN_CONJ:
      return rounded(a);
    case TENURE_FN_ABS:
      return rounded(std::fabs(a));
    case TENURE_FN_SIGN:
      return rounded(a > 0 ? Compute{1} : a < 0 ? Compute{-1} : a);
    case TENURE_FN_SQRT:
      return rounded(std::sqrt(a));
    case TENURE_FN_RECIPROCAL:
      return rounded(1 / a);
    case TENURE_FN_FLOOR:
      return rounded(std::floor(a));
    case TENURE_FN_CEIL:
      return rounded(std::ceil(a));
    case TENURE_FN_ROUND:
      return rounded(std::nearbyint(a));
    case TENURE_FN_ADD:
      return rounded(a + b);
    case TENURE_FN_SUBTRACT:
      return rounded(a - b);
    case TENURE_FN_MULTIPLY:
      return rounded(a * b);
    case TENURE_FN_DIVIDE:
      return rounded(a / b);
    case TENURE_FN_REMAINDER:
      return rounded(std::fmod(a, b));
    case TENURE_FN_MAXIMUM:
      return rounded(std::isnan(a) || std::isnan(b) ? std::numeric_limits<Compute>::quiet_NaN()
                                                    : std::max(a, b));
    case TENURE_FN_MINIMUM:
      return rounded(std::isnan(a) || std::isnan(b) ? std::numeric_limits<Compute>::quiet_NaN()
                                                    : std::min(a, b));
    default:
      throw std::runtime_error("no such function of reals");
  }
}

// Products and quotients are only sure to be close where nothing overflows on the way.
Expected complex_function(std::uint32_t function, std::span<const Number> arguments) {
  using Complex = std::complex<long double>;
  const Complex a(arguments[0].re, arguments[0].im);
  const Complex b = arguments.size() > 1 ? Complex(arguments[1].re, arguments[1].im) : Complex();
  const auto close = [](const Complex& value, double ulps = 16.0) {
    return Expected{{value.real(), value.imag()}, ulps};
  };
  switch (function) {
    case TENURE_FN_NEG:
      return {{-a.real(), -a.imag()}, 0};
    case TENURE_FN_CONJ:
      return {{a.real(), -a.imag()}, 0};
    case TENURE_FN_ABS:
      return {{std::hypot(a.real(), a.imag()), 0}, 2.0};
    case TENURE_FN_SQRT:
      return close(std::sqrt(a));
    case TENURE_FN_RSQRT:
      return close(1.0L / std::sqrt(a));
    case TENURE_FN_RECIPROCAL:
      return close(1.0L / a);
    case TENURE_FN_EXP:
      return close(std::exp(a));
    case TENURE_FN_LOG:
      return close(std::log(a));
    case TENURE_FN_SIN:
      return close(std::sin(a));
    case TENURE_FN_COS:
      return close(std::cos(a));
    case TENURE_FN_TAN:
      return close(std::tan(a));
    case TENURE_FN_TANH:
      return close(std::tanh(a));
    case TENURE_FN_ADD:
      return close(a + b, 0.5);
    case TENURE_FN_SUBTRACT:
      return close(a - b, 0.5);
    case TENURE_FN_MULTIPLY:
      return close(a * b);
    case TENURE_FN_DIVIDE:
      return close(a / b);
    case TENURE_FN_POW:  // its error grows with |b log(a)|
      return close(std::exp(b * std::log(a)), 256.0);
    default:
      throw std::runtime_error("no such function of complex numbers");
  }
}

Number logical_function(std::uint32_t function, std::span<const Number> arguments) {
  const bool a = arguments[0].re != 0;
  const bool b = arguments.size() > 1 && arguments[1].re != 0;
  switch (function) {
    case TENURE_FN_LOGICAL_NOT:
      return {a ? 0.0L : 1.0L, 0};
    case TENURE_FN_LOGICAL_AND:
      return {a && b ? 1.0L : 0.0L, 0};
    case TENURE_FN_LOGICAL_OR:
      return {a || b ? 1.0L : 0.0L, 0};
    case TENURE_FN_LOGICAL_XOR:
      return {a != b ? 1.0L : 0.0L, 0};
    default:
      throw std::runtime_error("no such function of bools");
  }
}

bool compare(std::uint32_t function, const Number& a, const Number& b) {
  switch (function) {
    case TENURE_FN_EQUAL:
      return a.re == b.re && a.im == b.im;
    case TENURE_FN_NOT_EQUAL:
      return a.re != b.re || a.im != b.im;
    case TENURE_FN_LESS:
      return a.re < b.re;
    case TENURE_FN_LESS_EQUAL:
      return a.re <= b.re;
    case TENURE_FN_GREATER:
      return a.re > b.re;
    default:
      return a.re >= b.re;
  }
}

}  // namespace

Expected expected_function(std::uint32_t function, Dtype dtype, std::span<const Number> arguments) {
  const tenure_dtype found = to_abi(dtype);
  if (function == TENURE_FN_WHERE) return {arguments[0].re != 0 ? arguments[1] : arguments[2]};
  if (function >= TENURE_FN_EQUAL && function <= TENURE_FN_GREATER_EQUAL) {
    return {{compare(function, arguments[0], arguments[1]) ? 1.0L : 0.0L, 0}};
  }
  if (tenure::abi::is_boolean(found)) return {logical_function(function, arguments)};
  if (tenure::abi::is_integer(found)) return {integer_function(function, dtype, arguments)};
  if (tenure::abi::is_complex(found)) return complex_function(function, arguments);
  if (found.bits == 64) return real_function<double>(function, dtype, arguments);
  return real_function<float>(function, dtype, arguments);
}

bool is_close(const Number& found, const Expected& expected, Dtype result) {
  if (same_number(found, expected.number)) return true;
  if (expected.ulps == 0) return false;
  const Precision precision = precision_of(result);
  // An element of a complex number may be wrong by what the larger one is accurate to.
  const long double size = std::max(std::fabs(expected.number.re), std::fabs(expected.number.im));
  const auto close = [&](long double x, long double y) {
    if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y);
    if (round_to(y, precision) == x) return true;
    return std::fabs(x - y) <= expected.ulps * ulp_of(size, precision);
  };
  return close(found.re, expected.number.re) && close(found.im, expected.number.im);
}

}  // namespace cpu_test
