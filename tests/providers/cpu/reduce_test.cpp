// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>

#include "box.hpp"
#include "cpu_plugin.hpp"
#include "tenure/abi/operation_table.hpp"

namespace cpu_test {
namespace {

using tenure::abi::reduction_table;
using tenure::abi::ReductionRow;

bool allows(const ReductionRow& row, Dtype dtype) {
  return (tenure::abi::class_of(to_abi(dtype)) & row.operand_classes) != 0;
}

Extents reduced_extents(const Extents& extents, std::uint64_t mask) {
  Extents reduced = extents;
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    if ((mask >> axis & 1) != 0) reduced[axis] = 1;
  }
  return reduced;
}

Outcome reduce(const Engine& engine, std::uint32_t function, std::uint64_t mask, const Box& in, Box& out) {
  auto attributes = tenure::abi::make_struct<tenure_reduce_attributes>();
  attributes.function = function;
  attributes.axis_mask = mask;
  return engine.execute(TENURE_OP_REDUCE, std::array{in.operand(1), out.operand(2)}, &attributes);
}

// For each result the positions of the elements that it is made of.
std::vector<std::vector<std::int64_t>> sources(const Box& in, std::uint64_t mask) {
  const Extents reduced = reduced_extents(in.extents(), mask);
  std::int64_t results = 1;
  for (const std::int64_t extent : reduced) results *= extent;
  std::vector<std::vector<std::int64_t>> all(static_cast<std::size_t>(results));
  for (std::int64_t i = 0; i < in.count(); ++i) {
    std::int64_t rest = i;
    std::int64_t result = 0;
    std::int64_t step = 1;
    for (std::size_t axis = 0; axis < reduced.size(); ++axis) {
      if (reduced[axis] != 1) result += rest % in.extents()[axis] * step;
      step *= reduced[axis];
      rest /= in.extents()[axis];
    }
    all[static_cast<std::size_t>(result)].push_back(i);
  }
  return all;
}

// Small numbers, so that no order of summation loses more than rounding.
void set_moderate(Random& random, Box& box) {
  if (tenure::abi::is_integer(to_abi(box.dtype()))) return;
  for (std::int64_t i = 0; i < box.count(); ++i) {
    std::uniform_real_distribution<double> real(-1.0, 1.0);
    box.set(i, {real(random), real(random)});
  }
}

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
  // Blocks of 1024 elements in at least 16 lanes, pairwise above: a few dozen roundings of the size, in f32
  // at least, and one of the result.
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

std::uint64_t random_mask(Random& random, std::size_t rank) {
  return rank == 0 ? 0 : random() % (std::uint64_t{1} << rank);
}

}  // namespace

TEST_CASE("Reduce: every reduction of every dtype, over any axes and any strides, at every ISA level") {
  Random random(1);
  for (const std::string& level : isa_levels()) {
    const Instance instance({{"isa", level}});
    const Engine engine(instance);
    for (const ReductionRow& row : reduction_table) {
      for (Dtype dtype = 0; dtype < dtype_count; ++dtype) {
        REQUIRE(engine.supports(TENURE_OP_REDUCE, row.function, {to_abi(dtype), to_abi(dtype)}) ==
                allows(row, dtype));
        if (!allows(row, dtype)) continue;
        for (int round = 0; round < 8; ++round) {
          Extents extents = random_extents(random, 6, 6000);
          if (random() % 2 == 0 && !extents.empty()) extents[0] = pick(random, 1, 3000);
          while (extents.size() > 1 && count_of(extents) > 12000) extents.pop_back();
          const std::uint64_t mask = random_mask(random, extents.size());
          Box in(random, dtype, extents, random_layout(random, true));
          const bool is_extremum = row.function == TENURE_REDUCE_MAX || row.function == TENURE_REDUCE_MIN;
          if (!is_extremum) set_moderate(random, in);
          if (in.count() == 0) continue;
          Box out(random, dtype, reduced_extents(extents, mask), random_layout(random, false));
          const Box before = out;
          const Outcome outcome = reduce(engine, row.function, mask, in, out);
          INFO(outcome.message);
          CAPTURE(level);
          CAPTURE(row.name);
          CAPTURE(name_of(dtype));
          CAPTURE(round);
          REQUIRE(outcome.code == TENURE_OK);
          REQUIRE(out.differs_only_in_elements(before));
          const auto positions = sources(in, mask);
          for (std::size_t i = 0; i < positions.size(); ++i) {
            const Number found = out.get(static_cast<std::int64_t>(i));
            if (is_extremum) {
              check_extremum(in, positions[i], row.function == TENURE_REDUCE_MAX, found);
            } else {
              check_sum(in, positions[i], row.function == TENURE_REDUCE_MEAN, found);
            }
          }
        }
      }
    }
  }
}

TEST_CASE("Reduce: strides, threads and ISA levels do not change one bit") {
  Random random(2);
  for (const char* const name : {"f32", "f64", "f16", "complex64"}) {
    const Dtype dtype = dtype_named(name);
    for (const Extents& extents :
         {Extents{70001}, Extents{1500, 50}, Extents{3, 1400, 17}, Extents{40, 5, 3, 110}}) {
      const std::uint64_t all = (std::uint64_t{1} << extents.size()) - 1;
      for (const std::uint64_t mask : {all, std::uint64_t{1}, all & ~std::uint64_t{1}, all & 0b0101}) {
        Box first(random, dtype, extents);
        set_moderate(random, first);
        Box second(random, dtype, extents, Layout::permuted);
        for (std::int64_t i = 0; i < first.count(); ++i) second.set(i, first.get(i));
        std::vector<std::vector<std::byte>> results;
        for (const std::string& level : isa_levels()) {
          const Instance instance({{"isa", level}});
          for (const std::uint32_t mode : {TENURE_ENGINE_SERIAL, TENURE_ENGINE_PARALLEL}) {
            const Engine engine(instance, mode, 3);
            for (const Box* const in : {&first, &second}) {
              Box out(random, dtype, reduced_extents(extents, mask));
              REQUIRE(reduce(engine, TENURE_REDUCE_SUM, mask, *in, out).code == TENURE_OK);
              results.push_back(out.bytes());
            }
          }
        }
        CAPTURE(name);
        CAPTURE(mask);
        for (const auto& result : results) CHECK(result == results[0]);
      }
    }
  }
}

TEST_CASE("Reduce: the sum of many equal f32 numbers stays accurate") {
  Random random(3);
  const Instance instance;
  const Engine engine(instance);
  Box in(random, dtype_named("f32"), {1 << 22});
  for (std::int64_t i = 0; i < in.count(); ++i) in.set(i, {0.1L, 0});
  Box out(random, dtype_named("f32"), {1});
  REQUIRE(reduce(engine, TENURE_REDUCE_SUM, 1, in, out).code == TENURE_OK);
  const long double exact = in.get(0).re * (1 << 22);
  CHECK(std::fabs(out.get(0).re - exact) <= 8 * ulp_of(exact, precision_of(in.dtype())));
}

TEST_CASE("Reduce: a NaN anywhere makes the extremum NaN") {
  Random random(4);
  const Instance instance;
  const Engine engine(instance);
  for (const char* const name : {"f16", "bf16", "f32", "f64"}) {
    for (const std::int64_t place : {0, 1, 63, 64, 500, 1023, 1024, 2999}) {
      Box in(random, dtype_named(name), {3000});
      set_moderate(random, in);
      in.set(place, {std::numeric_limits<long double>::quiet_NaN(), 0});
      Box out(random, in.dtype(), {1});
      for (const std::uint32_t function : {TENURE_REDUCE_MAX, TENURE_REDUCE_MIN}) {
        REQUIRE(reduce(engine, function, 1, in, out).code == TENURE_OK);
        CAPTURE(name);
        CAPTURE(place);
        CHECK(std::isnan(out.get(0).re));
      }
    }
  }
}

TEST_CASE("Reduce: of nothing the sum is 0, the mean NaN and an extremum an error") {
  Random random(5);
  const Instance instance;
  const Engine engine(instance);
  for (const ReductionRow& row : reduction_table) {
    for (Dtype dtype = 0; dtype < dtype_count; ++dtype) {
      if (!allows(row, dtype)) continue;
      const Box in(random, dtype, {4, 0, 3});
      Box out(random, dtype, {4, 1, 3}, Layout::permuted);
      const std::vector<std::byte> before = out.bytes();
      const Outcome outcome = reduce(engine, row.function, 2, in, out);
      CAPTURE(row.name);
      CAPTURE(name_of(dtype));
      if (!row.empty_is_defined) {
        CHECK(outcome.code == TENURE_INVALID_ARGUMENT);
        CHECK(outcome.message.find(row.name) != std::string::npos);
        CHECK(out.bytes() == before);
        continue;
      }
      REQUIRE(outcome.code == TENURE_OK);
      for (std::int64_t i = 0; i < out.count(); ++i) {
        CHECK((row.function == TENURE_REDUCE_SUM ? out.get(i).re == 0 : std::isnan(out.get(i).re)));
      }
    }
  }
}

TEST_CASE("Reduce: no results is success even where an extremum would be an error") {
  Random random(6);
  const Instance instance;
  const Engine engine(instance);
  const Box in(random, dtype_named("f64"), {0, 4});
  Box out(random, dtype_named("f64"), {0, 1});
  CHECK(reduce(engine, TENURE_REDUCE_MAX, 2, in, out).code == TENURE_OK);
}

TEST_CASE("Reduce: dtypes and extents that do not fit are refused in words") {
  Random random(7);
  const Instance instance;
  const Engine engine(instance);
  const Box flags(random, dtype_named("bool"), {4});
  Box flag(random, dtype_named("bool"), {1});
  CHECK(reduce(engine, TENURE_REDUCE_SUM, 1, flags, flag).code == TENURE_UNIMPLEMENTED);
  CHECK(reduce(engine, TENURE_REDUCE_SUM, 1, flags, flag).message.find("bool") != std::string::npos);
  const Box counts(random, dtype_named("i32"), {4});
  Box count(random, dtype_named("i32"), {1});
  CHECK(reduce(engine, TENURE_REDUCE_MEAN, 1, counts, count).code == TENURE_UNIMPLEMENTED);
  CHECK(reduce(engine, 99, 1, counts, count).code == TENURE_UNIMPLEMENTED);
  Box wrong(random, dtype_named("i32"), {2});
  CHECK(reduce(engine, TENURE_REDUCE_SUM, 1, counts, wrong).code == TENURE_INVALID_ARGUMENT);
  CHECK(reduce(engine, TENURE_REDUCE_SUM, 0, counts, count).code == TENURE_INVALID_ARGUMENT);
}

}  // namespace cpu_test
