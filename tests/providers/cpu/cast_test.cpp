// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "box.hpp"
#include "cpu_plugin.hpp"

namespace cpu_test {
namespace {

// The smallest and the largest number of an integer dtype.
std::pair<long double, long double> range_of(Dtype dtype) {
  const tenure_dtype found = to_abi(dtype);
  if (found.code == TENURE_DTYPE_UINT) return {0.0L, std::ldexp(1.0L, found.bits) - 1};
  return {-std::ldexp(1.0L, found.bits - 1), std::ldexp(1.0L, found.bits - 1) - 1};
}

// The rule of the cast, on numbers. Integers keep their low bits, reals are cut towards zero and held in
// range.
Number expected_cast(Dtype from, Dtype to, const Number& value) {
  const tenure_dtype target = to_abi(to);
  if (tenure::abi::is_boolean(target)) return {value.re != 0 || value.im != 0 ? 1.0L : 0.0L, 0};
  if (tenure::abi::is_integer(target)) {
    const auto [low, high] = range_of(to);
    if (tenure::abi::is_integer(to_abi(from))) {
      const long double modulus = std::ldexp(1.0L, target.bits);
      long double wrapped = std::fmod(value.re, modulus);
      if (wrapped < low) wrapped += modulus;
      if (wrapped > high) wrapped -= modulus;
      return {wrapped, 0};
    }
    if (std::isnan(value.re)) return {0, 0};
    return {std::trunc(std::min(std::max(value.re, low), high)), 0};
  }
  const Precision precision = precision_of(to);
  const bool is_complex = tenure::abi::is_complex(target);
  return {round_to(value.re, precision), is_complex ? round_to(value.im, precision) : 0.0L};
}

// Values at the borders of every integer format and of rounding.
std::vector<long double> edges() {
  std::vector<long double> values{0.0L,     -0.0L,    0.5L,     -0.5L,   1.5L,     2.5L,
                                  65504.0L, 65519.9L, 65520.0L, 1.0e30L, -1.0e300L};
  for (int exponent = -30; exponent <= 65; ++exponent) {
    const long double power = std::ldexp(1.0L, exponent);
    for (const long double step : {-1.0L, -0x1p-11L, 0.0L, 0x1p-11L, 0x1p-8L + 0x1p-40L, 1.0L}) {
      values.push_back(power + step);
      values.push_back(-power - step);
      values.push_back(power * (1 + step));
    }
  }
  values.push_back(std::numeric_limits<long double>::infinity());
  values.push_back(-std::numeric_limits<long double>::infinity());
  values.push_back(std::numeric_limits<long double>::quiet_NaN());
  return values;
}

void set_edges(Box& box) {
  const std::vector<long double> values = edges();
  const bool is_integer = tenure::abi::is_integer(to_abi(box.dtype()));
  for (std::int64_t i = 0; i < box.count(); ++i) {
    long double value = values[static_cast<std::size_t>(i) % values.size()];
    if (is_integer) {
      const auto [low, high] = range_of(box.dtype());
      value = std::isnan(value) ? 0.0L : std::trunc(std::min(std::max(value, low), high));
    }
    box.set(i, {value, i % 3 == 0 ? 0.0L : value});
  }
}

}  // namespace

TEST_CASE("Cast: all 225 pairs follow the rule at every ISA level") {
  Random random(1);
  for (const std::string& level : isa_levels()) {
    const Instance instance({{"isa", level}});
    const Engine engine(instance);
    for (Dtype from = 0; from < dtype_count; ++from) {
      Box in(random, from, {static_cast<std::int64_t>(edges().size()) + 5}, Layout::permuted);
      set_edges(in);
      for (Dtype to = 0; to < dtype_count; ++to) {
        Box out(random, to, in.extents(), random_layout(random, false));
        const std::array operands{in.operand(TENURE_OPERAND_READ), out.operand(TENURE_OPERAND_WRITE)};
        REQUIRE(engine.supports(TENURE_OP_CAST, 0, {to_abi(from), to_abi(to)}));
        REQUIRE(engine.execute(TENURE_OP_CAST, operands).code == TENURE_OK);
        for (std::int64_t i = 0; i < in.count(); ++i) {
          const Number expected = expected_cast(from, to, in.get(i));
          CAPTURE(level);
          CAPTURE(name_of(from));
          CAPTURE(name_of(to));
          CAPTURE(in.get(i).re);
          CAPTURE(out.get(i).re);
          REQUIRE(same_number(out.get(i), expected));
        }
      }
    }
  }
}

TEST_CASE("Cast: strided, parallel and streamed casts agree with the serial one on compact memory") {
  Random random(2);
  const Instance instance, streaming(Options{{"streaming_bytes", "0"}});
  const Engine serial(instance);
  const Engine parallel(streaming, TENURE_ENGINE_PARALLEL, 2);
  for (int round = 0; round < 60; ++round) {
    const Dtype from = random() % dtype_count;
    const Dtype to = random() % dtype_count;
    const Extents extents = round < 4 ? Extents{257, 400} : random_extents(random, 8, 3000);
    const Box in(random, from, extents, random_layout(random, true));
    Box compact(random, from, extents);
    for (std::int64_t i = 0; i < in.count(); ++i) std::memcpy(compact.at(i), in.at(i), bytes_of(from));
    Box expected(random, to, extents);
    Box out(random, to, extents, random_layout(random, false));
    const Box before = out;
    REQUIRE(serial.execute(TENURE_OP_CAST, std::array{compact.operand(1), expected.operand(2)}).code ==
            TENURE_OK);
    REQUIRE(parallel.execute(TENURE_OP_CAST, std::array{in.operand(1), out.operand(2)}).code == TENURE_OK);
    REQUIRE(out.bytes() == expected.bytes());
    REQUIRE(out.differs_only_in_elements(before));
    Box streamed(random, to, extents);
    const Box streamed_before = streamed;
    REQUIRE(parallel.execute(TENURE_OP_CAST, std::array{compact.operand(1), streamed.operand(2)}).code ==
            TENURE_OK);
    REQUIRE(streamed.bytes() == expected.bytes());
    REQUIRE(streamed.differs_only_in_elements(streamed_before));
  }
}

TEST_CASE("Cast: a dtype that Tenure does not know is refused in words") {
  Random random(3);
  const Instance instance;
  const Engine engine(instance);
  const Box box(random, dtype_named("f32"), {3});
  tenure_operand odd = box.operand(TENURE_OPERAND_READ);
  odd.dtype = {TENURE_DTYPE_FLOAT, 8, 1};
  const Outcome outcome = engine.execute(TENURE_OP_CAST, std::array{odd, box.operand(TENURE_OPERAND_WRITE)});
  CHECK(outcome.code == TENURE_UNIMPLEMENTED);
  CHECK(outcome.message.find("8 bits") != std::string::npos);
  CHECK_FALSE(engine.supports(TENURE_OP_CAST, 0, {odd.dtype, to_abi(0)}));
}

}  // namespace cpu_test
