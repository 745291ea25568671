// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>

#include "box.hpp"
#include "cpu_plugin.hpp"
#include "reduction_reference.hpp"
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

Dtype result_of(const ReductionRow& row, Dtype dtype) {
  return dtype_named(tenure::abi::find_dtype(tenure::abi::result_dtype(row, to_abi(dtype)))->name);
}

// Small numbers, so that no order of summation loses more than rounding.
void set_moderate(Random& random, Box& box) {
  if (tenure::abi::is_integer(to_abi(box.dtype()))) return;
  for (std::int64_t i = 0; i < box.count(); ++i) {
    std::uniform_real_distribution<double> real(-1.0, 1.0);
    box.set(i, {real(random), real(random)});
  }
}

// Values of which a reduction of many shows something: factors near 1, bools that are mostly alike.
void set_telling(Random& random, const ReductionRow& row, Box& box) {
  if (row.function == TENURE_REDUCE_PROD && !tenure::abi::is_integer(to_abi(box.dtype()))) {
    for (std::int64_t i = 0; i < box.count(); ++i) {
      std::uniform_real_distribution<double> near_one(0.8, 1.25);
      box.set(i, {near_one(random) * (random() % 2 == 0 ? 1 : -1), near_one(random) - 1});
    }
  } else if (row.operand_classes == tenure::abi::class_boolean) {
    for (std::int64_t i = 0; i < box.count(); ++i) {
      const bool is_rare = random() % 300 == 0;
      box.set(i, {is_rare == (row.function == TENURE_REDUCE_ANY) ? 1.0L : 0.0L, 0});
    }
  } else if (row.result == tenure::abi::ResultRule::same ||
             row.result == tenure::abi::ResultRule::real_part) {
    const bool is_extremum = row.function == TENURE_REDUCE_MAX || row.function == TENURE_REDUCE_MIN;
    if (!is_extremum) set_moderate(random, box);
  }
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
        const Dtype result = result_of(row, dtype);
        REQUIRE(engine.supports(TENURE_OP_REDUCE, row.function, {to_abi(dtype), to_abi(result)}) ==
                allows(row, dtype));
        if (!allows(row, dtype)) continue;
        for (int round = 0; round < 8; ++round) {
          Extents extents = random_extents(random, 6, 6000);
          if (random() % 2 == 0 && !extents.empty()) extents[0] = pick(random, 1, 3000);
          while (extents.size() > 1 && count_of(extents) > 12000) extents.pop_back();
          const std::uint64_t mask = random_mask(random, extents.size());
          Box in(random, dtype, extents, random_layout(random, true));
          set_telling(random, row, in);
          if (in.count() == 0) continue;
          Box out(random, result, reduced_extents(extents, mask), random_layout(random, false));
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
            check_result(row, in, positions[i], out, found);
          }
        }
      }
    }
  }
}

TEST_CASE("Reduce: strides, threads and ISA levels do not change one bit") {
  Random random(2);
  for (const char* const name : {"f32", "f64", "f16", "complex128"}) {
    const Dtype dtype = dtype_named(name);
    for (const Extents& extents :
         {Extents{70001}, Extents{1500, 50}, Extents{3, 1400, 17}, Extents{40, 5, 3, 110}, Extents{3, 2500},
          Extents{47, 300}, Extents{9001, 9}}) {
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
              for (const std::uint32_t function : {TENURE_REDUCE_SUM, TENURE_REDUCE_NORM2}) {
                const ReductionRow& row = *tenure::abi::find_reduction(function);
                Box out(random, result_of(row, dtype), reduced_extents(extents, mask));
                REQUIRE(reduce(engine, function, mask, *in, out).code == TENURE_OK);
                results.push_back(out.bytes());
              }
            }
          }
        }
        CAPTURE(name);
        CAPTURE(mask);
        for (std::size_t i = 0; i < results.size(); ++i) CHECK(results[i] == results[i % 2]);
      }
    }
  }
}

TEST_CASE("Reduce: lines of every length have the same bits along memory, across it and with gaps") {
  Random random(10);
  for (const std::string& level : isa_levels()) {
    const Instance instance({{"isa", level}});
    const Engine engine(instance);
    for (const char* const name : {"i8", "f16", "f32", "f64", "complex128"}) {
      const Dtype dtype = dtype_named(name);
      for (const std::uint32_t function : {TENURE_REDUCE_SUM, TENURE_REDUCE_PROD}) {
        for (std::int64_t count = 1; count < 1100; count += count < 150 ? 1 : 61) {
          Box along(random, dtype, {count, 5});
          set_telling(random, *tenure::abi::find_reduction(function), along);
          Box across(random, dtype, {5, count});
          Box apart(random, dtype, {count, 5}, Layout::permuted);
          for (std::int64_t i = 0; i < along.count(); ++i) {
            across.set(i % count * 5 + i / count, along.get(i));
            apart.set(i, along.get(i));
          }
          Box wanted(random, dtype, {1, 5}), found(random, dtype, {5, 1}), other(random, dtype, {1, 5});
          REQUIRE(reduce(engine, function, 1, along, wanted).code == TENURE_OK);
          REQUIRE(reduce(engine, function, 2, across, found).code == TENURE_OK);
          REQUIRE(reduce(engine, function, 1, apart, other).code == TENURE_OK);
          CAPTURE(level);
          CAPTURE(name);
          CAPTURE(count);
          REQUIRE(found.bytes() == wanted.bytes());
          REQUIRE(other.bytes() == wanted.bytes());
        }
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

TEST_CASE("Reduce: of equal extrema the first is found, across lanes, blocks, lines and threads") {
  Random random(8);
  const Instance instance;
  for (const std::uint32_t mode : {TENURE_ENGINE_SERIAL, TENURE_ENGINE_PARALLEL}) {
    const Engine engine(instance, mode, 3);
    for (const char* const name : {"i8", "f16", "f32", "f64", "u64"}) {
      Box in(random, dtype_named(name), {1500, 3, 40}, Layout::permuted);
      for (const std::int64_t first : {0, 63, 64, 1023, 1024, 1500, 4499, 4500, 100000, 179998}) {
        for (std::int64_t i = 0; i < in.count(); ++i)
          in.set(i, {i < first ? 1.0L : i % 2 == first % 2 ? 5.0L : 3.0L, 0});
        Box out(random, dtype_named("i64"), {1, 1, 1});
        REQUIRE(reduce(engine, TENURE_REDUCE_ARGMAX, 7, in, out).code == TENURE_OK);
        CAPTURE(name);
        CHECK(out.get(0).re == static_cast<long double>(first));
      }
    }
  }
}

TEST_CASE("Reduce: a norm neither overflows nor loses small elements on the way") {
  Random random(9);
  const Instance instance;
  const Engine engine(instance);
  for (const char* const name : {"f16", "bf16", "f32", "f64", "complex64", "complex128"}) {
    const Dtype dtype = dtype_named(name);
    const ReductionRow& row = *tenure::abi::find_reduction(TENURE_REDUCE_NORM2);
    const Precision precision = precision_of(dtype);
    for (const int exponent : {precision.exponent_max - 3, precision.exponent_min + 20,
                               precision.exponent_min - precision.mantissa_bits + 6}) {
      // Of 5000 elements only some are not 0, so that blocks without any take part.
      Box in(random, dtype, {5000, 4}, Layout::permuted);
      for (std::int64_t i = 0; i < in.count(); ++i) in.set(i, {0, 0});
      for (const std::int64_t i : {7, 2100, 2101}) in.set(i, {std::ldexp(1.0L, exponent), 0});
      in.set(2102, {-std::ldexp(1.0L, exponent), 0});
      for (const std::uint64_t mask : {std::uint64_t{3}, std::uint64_t{1}}) {
        Box out(random, result_of(row, dtype), reduced_extents(in.extents(), mask));
        REQUIRE(reduce(engine, TENURE_REDUCE_NORM2, mask, in, out).code == TENURE_OK);
        CAPTURE(name);
        CAPTURE(exponent);
        CHECK(out.get(0).re == std::ldexp(1.0L, exponent + 1));
      }
    }
    const long double infinity = std::numeric_limits<long double>::infinity();
    Box in(random, dtype, {3000});
    set_moderate(random, in);
    in.set(5, {-infinity, 0});
    Box out(random, result_of(row, dtype), {1});
    REQUIRE(reduce(engine, TENURE_REDUCE_NORM2, 1, in, out).code == TENURE_OK);
    CHECK(out.get(0).re == infinity);
    in.set(2999, {std::numeric_limits<long double>::quiet_NaN(), 0});
    REQUIRE(reduce(engine, TENURE_REDUCE_NORM2, 1, in, out).code == TENURE_OK);
    CHECK(std::isnan(out.get(0).re));
  }
}

TEST_CASE("Reduce: of nothing the sum is 0, the product 1, the mean NaN and an extremum an error") {
  Random random(5);
  const Instance instance;
  const Engine engine(instance);
  for (const ReductionRow& row : reduction_table) {
    for (Dtype dtype = 0; dtype < dtype_count; ++dtype) {
      if (!allows(row, dtype)) continue;
      const Box in(random, dtype, {4, 0, 3});
      Box out(random, result_of(row, dtype), {4, 1, 3}, Layout::permuted);
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
      const bool is_one = row.function == TENURE_REDUCE_PROD || row.function == TENURE_REDUCE_ALL;
      const long double mean = std::numeric_limits<long double>::quiet_NaN();
      const Number wanted{row.function == TENURE_REDUCE_MEAN ? mean : is_one ? 1.0L : 0.0L, 0};
      for (std::int64_t i = 0; i < out.count(); ++i) {
        CHECK(same_number({out.get(i).re, 0}, wanted));
        if (row.function != TENURE_REDUCE_MEAN) CHECK(out.get(i).im == 0);
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
