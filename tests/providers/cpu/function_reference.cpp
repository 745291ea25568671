// SPDX-License-Identifier: Apache-2.0
#include "function_reference.hpp"

#include <cmath>
#include <complex>
#include <limits>
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
    case TENURE_FN_MAXIMUM:
      return wrap(a > b ? a : b, dtype);
    case TENURE_FN_MINIMUM:
      return wrap(a < b ? a : b, dtype);
    default:
      throw std::runtime_error("no such function of integers");
  }
}

// In the type that the dtype is computed in; then rounded once.
template <class Compute>
Expected real_function(std::uint32_t function, Dtype dtype, std::span<const Number> arguments) {
  const auto a = static_cast<Compute>(arguments[0].re);
  const auto b = arguments.size() > 1 ? static_cast<Compute>(arguments[1].re) : Compute{0};
  const auto rounded = [dtype](Compute value, double ulps = 0) {
    return Expected{{round_to(static_cast<long double>(value), precision_of(dtype)), 0}, ulps};
  };
  switch (function) {
    case TENURE_FN_NEG:
      return rounded(-a);
    case TENURE_FN_ABS:
      return rounded(std::fabs(a));
    case TENURE_FN_SQRT:
      return rounded(std::sqrt(a));
    case TENURE_FN_EXP:
      return {{std::exp(arguments[0].re), 0}, 1.0};
    case TENURE_FN_ADD:
      return rounded(a + b);
    case TENURE_FN_SUBTRACT:
      return rounded(a - b);
    case TENURE_FN_MULTIPLY:
      return rounded(a * b);
    case TENURE_FN_DIVIDE:
      return rounded(a / b);
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
  const auto close = [](const Complex& value) { return Expected{{value.real(), value.imag()}, 16.0}; };
  switch (function) {
    case TENURE_FN_NEG:
      return {{-a.real(), -a.imag()}, 0};
    case TENURE_FN_ABS:
      return {{std::hypot(a.real(), a.imag()), 0}, 2.0};
    case TENURE_FN_SQRT:
      return close(std::sqrt(a));
    case TENURE_FN_EXP:
      return close(std::exp(a));
    case TENURE_FN_ADD:
      return {{a.real() + b.real(), a.imag() + b.imag()}, 0.5};
    case TENURE_FN_SUBTRACT:
      return {{a.real() - b.real(), a.imag() - b.imag()}, 0.5};
    case TENURE_FN_MULTIPLY:
      return close(a * b);
    case TENURE_FN_DIVIDE:
      return close(a / b);
    default:
      throw std::runtime_error("no such function of complex numbers");
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
