// SPDX-License-Identifier: Apache-2.0
// The error bounds of providers/cpu/README.md, against long double.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "box.hpp"
#include "cpu_plugin.hpp"
#include "function_reference.hpp"
#include "program_builder.hpp"
#include "tenure/abi/operation_table.hpp"

namespace cpu_test {
namespace {

// The error bound in units of the last place, and an interval where the function is neither flat nor linear.
struct Bound {
  std::uint32_t function;
  double f32;
  double f64;
  double low;
  double high;
};

constexpr Bound bounds[] = {
    {TENURE_FN_EXP, 0.95, 0.95, -20, 20},    {TENURE_FN_EXPM1, 0.51, 1, -3, 3},
    {TENURE_FN_LOG, 1, 1, 0.4, 3},           {TENURE_FN_LOG1P, 1, 1, -0.9, 3},
    {TENURE_FN_SIN, 0.95, 0.95, -30, 30},    {TENURE_FN_COS, 0.95, 0.95, -30, 30},
    {TENURE_FN_TAN, 1, 1, -30, 30},          {TENURE_FN_TANH, 1, 1, -20, 20},
    {TENURE_FN_SIGMOID, 0.51, 0.8, -40, 40}, {TENURE_FN_RSQRT, 0.51, 1.5, 0.01, 10},
};

constexpr std::int64_t sample_count = 100000;

Box make_samples(Random& random, Dtype dtype) { return Box(random, dtype, Extents{sample_count}); }

// Numbers spread over the interval, over the exponents and over all bit patterns. Those patterns of f32 are
// every n-th, so that they meet each exponent.
void set_samples(Random& random, const Bound& bound, Box& box) {
  const std::size_t bytes = bytes_of(box.dtype());
  std::uniform_real_distribution<double> interval(bound.low, bound.high);
  std::uniform_real_distribution<double> fraction(1, 2);
  for (std::int64_t i = 0; i < sample_count; ++i) {
    if (i % 3 == 0) {
      box.set(i, {round_to(interval(random), precision_of(box.dtype())), 0});
    } else if (i % 3 == 1) {
      const int exponent = static_cast<int>(random() % 80) - 55;
      const long double sign = random() % 2 == 0 ? 1 : -1;
      box.set(i, {sign * std::ldexp(static_cast<long double>(fraction(random)), exponent), 0});
    } else {
      const std::uint64_t bits = bytes == 4 ? static_cast<std::uint64_t>(i) * 42949u : random();
      std::memcpy(box.at(i), &bits, bytes);
    }
  }
}

// The largest error in units of the last place; infinity where something is no number or one too many.
long double worst_error(std::uint32_t function, const std::vector<Box>& in, const Box& out) {
  const Precision precision = precision_of(out.dtype());
  long double worst = 0;
  for (std::int64_t i = 0; i < out.count(); ++i) {
    std::vector<Number> arguments;
    for (const Box& operand : in) arguments.push_back(operand.get(i));
    const long double exact = expected_function(function, out.dtype(), arguments).number.re;
    const long double found = out.get(i).re;
    if (std::isnan(exact) && std::isnan(found)) continue;
    if (found == round_to(exact, precision)) continue;
    const bool are_finite = std::isfinite(exact) && std::isfinite(found);
    const long double error = are_finite ? std::fabs(found - exact) / ulp_of(exact, precision)
                                         : std::numeric_limits<long double>::infinity();
    if (error > worst) {
      worst = error;
      INFO("at ", static_cast<double>(arguments[0].re), " ", static_cast<double>(arguments.back().re));
      INFO("found ", static_cast<double>(found), ", exact ", static_cast<double>(exact));
      CHECK(std::isfinite(error));
    }
  }
  return worst;
}

}  // namespace

TEST_CASE("Accuracy: unary functions are within their bounds at every ISA level") {
  for (const std::string& level : isa_levels()) {
    const Instance instance({{"isa", level}});
    const Engine engine(instance);
    for (const Bound& bound : bounds) {
      for (const char* const name : {"f32", "f64"}) {
        Random random(1);
        std::vector<Box> in{make_samples(random, dtype_named(name))};
        set_samples(random, bound, in[0]);
        Box out(random, in[0].dtype(), in[0].extents());
        REQUIRE(run_function(engine, bound.function, in, out).code == TENURE_OK);
        CAPTURE(level);
        CAPTURE(tenure::abi::find_function(bound.function)->name);
        CAPTURE(name);
        CHECK(worst_error(bound.function, in, out) <= (bytes_of(out.dtype()) == 4 ? bound.f32 : bound.f64));
      }
    }
  }
}

TEST_CASE("Accuracy: powers are within their bound at every ISA level, whatever the size of the logarithm") {
  for (const std::string& level : isa_levels()) {
    const Instance instance({{"isa", level}});
    const Engine engine(instance);
    for (const char* const name : {"f32", "f64"}) {
      Random random(2);
      const Dtype dtype = dtype_named(name);
      const Precision precision = precision_of(dtype);
      std::vector<Box> in{make_samples(random, dtype), make_samples(random, dtype)};
      std::uniform_real_distribution<double> unit(-1, 1);
      for (std::int64_t i = 0; i < sample_count; ++i) {
        // Bases far from 1 and near to it, exponents that use the whole range of the result, small integers.
        const double far = std::exp2(unit(random) * (precision.exponent_max - 2));
        const double base = i % 3 == 0 ? far : 1 + 0.01 * unit(random);
        const double exponent = unit(random) * (precision.exponent_max + 2) / std::log2(base);
        const bool is_integer = i % 3 == 2;
        in[0].set(i, {is_integer ? static_cast<long double>(pick(random, -20, 20)) : base, 0});
        in[1].set(i, {is_integer ? static_cast<long double>(pick(random, -10, 10)) : exponent, 0});
      }
      Box out(random, dtype, in[0].extents());
      REQUIRE(run_function(engine, TENURE_FN_POW, in, out).code == TENURE_OK);
      CAPTURE(level);
      CAPTURE(name);
      CHECK(worst_error(TENURE_FN_POW, in, out) <= 1);
    }
  }
}

TEST_CASE("Accuracy: special values of unary functions are those of the C library, zeros with their signs") {
  Random random(3);
  const long double infinity = std::numeric_limits<long double>::infinity();
  const long double nan = std::numeric_limits<long double>::quiet_NaN();
  for (const std::string& level : isa_levels()) {
    const Instance instance({{"isa", level}});
    const Engine engine(instance);
    for (const Bound& bound : bounds) {
      for (const char* const name : {"f16", "bf16", "f32", "f64"}) {
        const Dtype dtype = dtype_named(name);
        const Precision precision = precision_of(dtype);
        const long double smallest = std::ldexp(1.0L, precision.exponent_min - precision.mantissa_bits + 1);
        const long double largest = std::ldexp(1.75L, precision.exponent_max);
        const std::vector<long double> values = {0.0L, -0.0L,    1,         -1,      infinity, -infinity,
                                                 nan,  smallest, -smallest, largest, -largest};
        // Several times, so that the vector part of a loop and its tail meet each.
        std::vector<Box> in;
        in.emplace_back(random, dtype, Extents{static_cast<std::int64_t>(values.size()) * 7});
        for (std::int64_t i = 0; i < in[0].count(); ++i)
          in[0].set(i, {values[static_cast<std::size_t>(i) % values.size()], 0});
        Box out(random, dtype, in[0].extents());
        REQUIRE(run_function(engine, bound.function, in, out).code == TENURE_OK);
        for (std::int64_t i = 0; i < out.count(); ++i) {
          const Number argument[] = {in[0].get(i)};
          const Expected expected = expected_function(bound.function, dtype, argument);
          CAPTURE(level);
          CAPTURE(tenure::abi::find_function(bound.function)->name);
          CAPTURE(name);
          CAPTURE(argument[0].re);
          CAPTURE(out.get(i).re);
          CHECK(is_close(out.get(i), expected, dtype));
          if (expected.number.re == 0) CHECK(std::signbit(out.get(i).re) == std::signbit(expected.number.re));
        }
      }
    }
  }
}

TEST_CASE("Accuracy: special values of pow and atan2 are those of the C library, in every pair") {
  Random random(4);
  const long double infinity = std::numeric_limits<long double>::infinity();
  const long double values[] = {
      0.0L,  -0.0L,  1,        -1,        2,
      -2,    3,      -3,       0.5L,      -0.5L,
      1e30L, -1e30L, infinity, -infinity, std::numeric_limits<long double>::quiet_NaN()};
  constexpr std::int64_t count = std::size(values);
  for (const std::string& level : isa_levels()) {
    const Instance instance({{"isa", level}});
    const Engine engine(instance);
    for (const std::uint32_t function : {TENURE_FN_POW, TENURE_FN_ATAN2}) {
      for (const char* const name : {"f32", "f64"}) {
        const Dtype dtype = dtype_named(name);
        std::vector<Box> in;
        for (int k = 0; k < 2; ++k) in.emplace_back(random, dtype, Extents{count * count});
        for (std::int64_t i = 0; i < count * count; ++i) {
          in[0].set(i, {values[i % count], 0});
          in[1].set(i, {values[i / count], 0});
        }
        Box out(random, dtype, in[0].extents());
        REQUIRE(run_function(engine, function, in, out).code == TENURE_OK);
        for (std::int64_t i = 0; i < out.count(); ++i) {
          const Number arguments[] = {in[0].get(i), in[1].get(i)};
          const Expected expected = expected_function(function, dtype, arguments);
          CAPTURE(level);
          CAPTURE(function);
          CAPTURE(arguments[0].re);
          CAPTURE(arguments[1].re);
          CAPTURE(out.get(i).re);
          CHECK(is_close(out.get(i), expected, dtype));
          if (expected.number.re == 0) CHECK(std::signbit(out.get(i).re) == std::signbit(expected.number.re));
        }
      }
    }
  }
}

}  // namespace cpu_test
