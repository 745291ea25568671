// SPDX-License-Identifier: Apache-2.0
#include "reduction_reference.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <complex>

namespace cpu_test {
namespace {

// An integer as 64 bits of two's complement.
std::uint64_t to_bits(long double integer) {
  return integer < 0 ? static_cast<std::uint64_t>(static_cast<std::int64_t>(integer))
                     : static_cast<std::uint64_t>(integer);
}

void check_sum(const Box& in, const std::vector<std::int64_t>& positions, bool is_mean, const Number& found) {
  const tenure_dtype dtype = to_abi(in.dtype());
  Number sum, size;
  std::uint64_t wrapped = 0;
  for (const std::int64_t position : positions) {
    const Number number = in.get(position);
    if (tenure::abi::is_integer(dtype)) wrapped += to_bits(number.re);
    sum.re += number.re;
    sum.im += number.im;
    size.re += std::fabs(number.re);
    size.im += std::fabs(number.im);
  }
  if (tenure::abi::is_integer(dtype)) {
    const std::uint64_t mask = ~std::uint64_t{0} >> (64 - dtype.bits);
    REQUIRE((to_bits(found.re) & mask) == (wrapped & mask));
    return;
  }
  const auto count = static_cast<long double>(positions.size());
  const long double divisor = is_mean ? count : 1.0L;
  // Blocks of 1024 elements in at most 35 steps, pairwise below and above: a few dozen roundings of the size,
  // in f32 at least, and one of the result.
  const long double unit = std::ldexp(1.0L, -std::max(precision_of(in.dtype()).mantissa_bits, 24));
  const long double last = std::ldexp(1.0L, -precision_of(in.dtype()).mantissa_bits);
  REQUIRE(std::fabs(found.re - sum.re / divisor) <=
          (96 * unit * size.re + last * std::fabs(sum.re)) / divisor +
              std::ldexp(1.0L, precision_of(in.dtype()).exponent_min));
  REQUIRE(std::fabs(found.im - sum.im / divisor) <=
          (96 * unit * size.im + last * std::fabs(sum.im)) / divisor +
              std::ldexp(1.0L, precision_of(in.dtype()).exponent_min));
}

void check_extremum(const Box& in, const std::vector<std::int64_t>& positions, bool is_max,
                    const Number& found) {
  long double best = in.get(positions[0]).re;
  for (const std::int64_t position : positions) {
    const long double x = in.get(position).re;
    if (std::isnan(best)) break;
    if (std::isnan(x) || (is_max ? x > best : x < best)) best = x;
  }
  REQUIRE(same_number(found, {best, 0}));
}

void check_product(const Box& in, const std::vector<std::int64_t>& positions, const Box& out,
                   const Number& found) {
  const tenure_dtype dtype = to_abi(in.dtype());
  std::uint64_t wrapped = 1;
  std::complex<long double> product = 1;
  for (const std::int64_t position : positions) {
    const Number number = in.get(position);
    if (tenure::abi::is_integer(dtype)) wrapped *= to_bits(number.re);
    product *= std::complex<long double>(number.re, number.im);
  }
  if (tenure::abi::is_integer(dtype)) {
    const std::uint64_t mask = ~std::uint64_t{0} >> (64 - dtype.bits);
    REQUIRE((to_bits(found.re) & mask) == (wrapped & mask));
    return;
  }
  const Precision precision = precision_of(out.dtype());
  const long double unit = std::ldexp(1.0L, -std::max(precision.mantissa_bits, 24));
  const auto count = static_cast<long double>(positions.size());
  const long double size = std::abs(product);
  const long double tolerance = 4 * count * unit * size + ulp_of(size, precision);
  const bool overflows = std::isinf(round_to(size, precision));
  REQUIRE((overflows || std::fabs(found.re - product.real()) <= tolerance));
  REQUIRE((overflows || std::fabs(found.im - product.imag()) <= tolerance));
}

void check_place(const Box& in, const std::vector<std::int64_t>& positions, bool is_max,
                 const Number& found) {
  std::size_t best = 0;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const long double x = in.get(positions[i]).re;
    const long double other = in.get(positions[best]).re;
    if (std::isnan(other)) break;
    if (std::isnan(x) || (is_max ? x > other : x < other)) best = i;
  }
  REQUIRE(found.re == static_cast<long double>(best));
}

void check_norm(const Box& in, const std::vector<std::int64_t>& positions, const Box& out,
                const Number& found) {
  long double sum = 0;
  for (const std::int64_t position : positions) {
    const Number number = in.get(position);
    sum += number.re * number.re + number.im * number.im;
  }
  const long double norm = std::sqrt(sum);
  REQUIRE(std::fabs(found.re - norm) <= 2 * ulp_of(norm, precision_of(out.dtype())));
}

void check_bools(const Box& in, const std::vector<std::int64_t>& positions, bool is_all,
                 const Number& found) {
  bool result = is_all;
  for (const std::int64_t position : positions) {
    const bool element = in.get(position).re != 0;
    result = is_all ? result && element : result || element;
  }
  REQUIRE((found.re != 0) == result);
}

}  // namespace

void check_result(const tenure::abi::ReductionRow& row, const Box& in,
                  const std::vector<std::int64_t>& positions, const Box& out, const Number& found) {
  switch (row.function) {
    case TENURE_REDUCE_MAX:
    case TENURE_REDUCE_MIN:
      return check_extremum(in, positions, row.function == TENURE_REDUCE_MAX, found);
    case TENURE_REDUCE_PROD:
      return check_product(in, positions, out, found);
    case TENURE_REDUCE_ALL:
    case TENURE_REDUCE_ANY:
      return check_bools(in, positions, row.function == TENURE_REDUCE_ALL, found);
    case TENURE_REDUCE_ARGMAX:
    case TENURE_REDUCE_ARGMIN:
      return check_place(in, positions, row.function == TENURE_REDUCE_ARGMAX, found);
    case TENURE_REDUCE_NORM2:
      return check_norm(in, positions, out, found);
    default:
      return check_sum(in, positions, row.function == TENURE_REDUCE_MEAN, found);
  }
}

}  // namespace cpu_test
