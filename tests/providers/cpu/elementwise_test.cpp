// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

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

using tenure::abi::function_table;
using tenure::abi::FunctionRow;

bool allows(const FunctionRow& row, Dtype dtype) {
  return (tenure::abi::class_of(to_abi(dtype)) & row.operand_classes) != 0;
}

Dtype operand_dtype(const FunctionRow& row, Dtype dtype, std::uint32_t operand) {
  return row.first_is_condition && operand == 0 ? dtype_named("bool") : dtype;
}

Dtype result_of(const FunctionRow& row, Dtype dtype) {
  const tenure_dtype result = tenure::abi::result_dtype(row, to_abi(dtype));
  return dtype_named(tenure::abi::find_dtype(result)->name);
}

// Operands of a function: no integer divisor is 0, no integer exponent negative, complex numbers have a
// moderate size.
std::vector<Box> make_operands(Random& random, const FunctionRow& row, Dtype dtype, const Extents& extents) {
  std::vector<Box> operands;
  for (std::uint32_t i = 0; i < row.arity; ++i) {
    operands.emplace_back(random, operand_dtype(row, dtype, i), extents, random_layout(random, true));
    Box& box = operands.back();
    const tenure_dtype found = to_abi(box.dtype());
    for (std::int64_t k = 0; k < box.count(); ++k) {
      const Number number = box.get(k);
      const auto moderate = [](long double x) {
        return std::fabs(x) <= 8 && (x == 0 || std::fabs(x) > 0.01L);
      };
      const bool is_second_integer = i == 1 && tenure::abi::is_integer(found);
      const bool is_divisor = row.function == TENURE_FN_DIVIDE || row.function == TENURE_FN_REMAINDER;
      if (is_second_integer && is_divisor && number.re == 0) box.set(k, {3, 0});
      if (is_second_integer && row.function == TENURE_FN_POW && number.re < 0) box.set(k, {5, 0});
      const bool is_zero = number.re == 0 && number.im == 0;
      if (!tenure::abi::is_complex(found)) continue;
      if (is_zero || !moderate(number.re) || !moderate(number.im)) box.set(k, {1.25L, -0.5L});
    }
  }
  return operands;
}

void check_function(const Engine& engine, const FunctionRow& row, Dtype dtype, std::vector<Box>& operands,
                    Box& out) {
  const Box before = out;
  const Outcome outcome = run_function(engine, row.function, operands, out);
  CAPTURE(row.name);
  CAPTURE(name_of(dtype));
  INFO(outcome.message);
  REQUIRE(outcome.code == TENURE_OK);
  REQUIRE(out.differs_only_in_elements(before));
  for (std::int64_t i = 0; i < out.count(); ++i) {
    std::vector<Number> arguments;
    for (const Box& operand : operands) arguments.push_back(operand.get(i));
    const Expected expected = expected_function(row.function, dtype, arguments);
    CAPTURE(arguments[0].re);
    CAPTURE(arguments.back().re);
    CAPTURE(out.get(i).re);
    CAPTURE(expected.number.re);
    REQUIRE(is_close(out.get(i), expected, out.dtype()));
  }
}

}  // namespace

TEST_CASE("Elementwise: every function of every dtype of the table, at every ISA level and any strides") {
  Random random(1);
  for (const Options& options : isa_levels_with_and_without_streaming()) {
    const Instance instance(options);
    const Engine engine(instance);
    for (const FunctionRow& row : function_table) {
      for (Dtype dtype = 0; dtype < dtype_count; ++dtype) {
        if (!allows(row, dtype)) continue;
        for (int round = 0; round < 6; ++round) {
          const Extents extents = round == 0 ? Extents{1003} : random_extents(random, 6, 800);
          std::vector<Box> operands = make_operands(random, row, dtype, extents);
          Box out(random, result_of(row, dtype), extents, random_layout(random, false));
          check_function(engine, row, dtype, operands, out);
        }
      }
    }
  }
}

TEST_CASE("Elementwise: supports says yes to the table of operations and no to everything else") {
  const Instance instance;
  const Engine engine(instance);
  for (const FunctionRow& row : function_table) {
    for (Dtype dtype = 0; dtype < dtype_count; ++dtype) {
      std::vector<tenure_dtype> dtypes;
      for (std::uint32_t i = 0; i < row.arity; ++i) dtypes.push_back(to_abi(operand_dtype(row, dtype, i)));
      dtypes.push_back(to_abi(result_of(row, dtype)));
      CAPTURE(row.name);
      CAPTURE(name_of(dtype));
      CHECK(engine.supports(TENURE_OP_PROGRAM, row.function, dtypes) == allows(row, dtype));
      dtypes.push_back(to_abi(dtype));
      CHECK_FALSE(engine.supports(TENURE_OP_PROGRAM, row.function, dtypes));
    }
  }
  const tenure_dtype f32 = to_abi(dtype_named("f32"));
  const tenure_dtype f64 = to_abi(dtype_named("f64"));
  CHECK_FALSE(engine.supports(TENURE_OP_PROGRAM, TENURE_FN_ADD, {f32, f64, f32}));
  CHECK_FALSE(engine.supports(TENURE_OP_PROGRAM, TENURE_FN_WHERE, {f32, f32, f32, f32}));
  CHECK_FALSE(engine.supports(TENURE_OP_PROGRAM, 0, {f32, f32, f32}));
  CHECK_FALSE(engine.supports(0, 0, {f32}));
}

TEST_CASE("Elementwise: a dtype outside the table is refused in words and nothing is written") {
  Random random(2);
  const Instance instance;
  const Engine engine(instance);
  for (const FunctionRow& row : function_table) {
    for (Dtype dtype = 0; dtype < dtype_count; ++dtype) {
      if (allows(row, dtype)) continue;
      std::vector<Box> operands = make_operands(random, row, dtype, {5});
      Box out(random, result_of(row, dtype), {5});
      const std::vector<std::byte> before = out.bytes();
      const Outcome outcome = run_function(engine, row.function, operands, out);
      CHECK(outcome.code == TENURE_UNIMPLEMENTED);
      CHECK(outcome.message.find(row.name) != std::string::npos);
      CHECK(outcome.message.find(name_of(dtype)) != std::string::npos);
      CHECK(out.bytes() == before);
    }
  }
}

TEST_CASE("Elementwise: one element stands for all, on either side") {
  Random random(3);
  const Instance instance;
  const Engine engine(instance);
  const FunctionRow& row = *tenure::abi::find_function(TENURE_FN_SUBTRACT);
  const Dtype dtype = dtype_named("f64");
  for (int constant = 0; constant < 3; ++constant) {
    std::vector<Box> operands;
    for (int i = 0; i < 2; ++i) {
      const bool is_constant = constant == i || constant == 2;
      operands.emplace_back(random, dtype, Extents{700}, is_constant ? Layout::broadcast : Layout::compact);
      while (is_constant && operands.back().strides()[0] != 0) {
        operands.back() = Box(random, dtype, Extents{700}, Layout::broadcast);
      }
    }
    Box out(random, dtype, {700});
    check_function(engine, row, dtype, operands, out);
  }
}

TEST_CASE("Elementwise: parallel and serial engines give the same bits") {
  Random random(4);
  const Instance instance;
  const Engine serial(instance);
  const Engine parallel(instance, TENURE_ENGINE_PARALLEL, 3);
  for (const std::uint32_t function : {TENURE_FN_EXP, TENURE_FN_ADD, TENURE_FN_LESS, TENURE_FN_WHERE}) {
    const FunctionRow& row = *tenure::abi::find_function(function);
    for (const char* const name : {"f32", "f64"}) {
      for (const Extents& extents : {Extents{200001}, Extents{300, 401}}) {
        std::vector<Box> operands = make_operands(random, row, dtype_named(name), extents);
        Box first(random, result_of(row, dtype_named(name)), extents);
        Box second(random, first.dtype(), extents, Layout::permuted);
        REQUIRE(run_function(serial, function, operands, first).code == TENURE_OK);
        REQUIRE(run_function(parallel, function, operands, second).code == TENURE_OK);
        CHECK(first.bytes() == second.bytes());
      }
    }
  }
}

TEST_CASE("Elementwise: an operand may be its own result") {
  Random random(5);
  const Instance instance;
  const Engine engine(instance);
  for (const char* const name : {"f32", "f64", "i32", "complex64"}) {
    for (const Layout layout : {Layout::compact, Layout::permuted}) {
      Box a(random, dtype_named(name), {37, 41}, layout);
      const Box b(random, a.dtype(), a.extents(), Layout::permuted);
      Box expected(random, a.dtype(), a.extents());
      std::vector<Box> apart{a, b};
      REQUIRE(run_function(engine, TENURE_FN_ADD, apart, expected).code == TENURE_OK);
      const std::array operands{a.operand(1), b.operand(1), a.operand(2)};
      Program program(2);
      program.add_output(program.add_node(TENURE_FN_ADD, a.dtype(), {0, 1}));
      const auto attributes = program.attributes();
      REQUIRE(engine.execute(TENURE_OP_PROGRAM, operands, &attributes).code == TENURE_OK);
      CHECK(a.bytes() == expected.bytes());
    }
  }
}

TEST_CASE("Elementwise: a complex number divided by 0 is infinite or NaN part by part") {
  Random random(9);
  const Instance instance;
  const Engine engine(instance);
  for (const char* const name : {"complex64", "complex128"}) {
    std::vector<Box> operands;
    operands.emplace_back(random, dtype_named(name), Extents{1});
    operands.emplace_back(random, dtype_named(name), Extents{1});
    operands[0].set(0, {-2, 0});
    operands[1].set(0, {0, -0.0L});
    Box out(random, dtype_named(name), {1});
    REQUIRE(run_function(engine, TENURE_FN_DIVIDE, operands, out).code == TENURE_OK);
    CHECK(out.get(0).re == -std::numeric_limits<long double>::infinity());
    CHECK(std::isnan(out.get(0).im));
  }
}

TEST_CASE("Elementwise: complex quotients of numbers near both ends of the range") {
  Random random(10);
  for (const std::string& level : isa_levels()) {
    const Instance instance({{"isa", level}});
    const Engine engine(instance);
    for (const char* const name : {"complex64", "complex128"}) {
      const Dtype dtype = dtype_named(name);
      const Precision precision = precision_of(dtype);
      const long double highest = std::ldexp(1.75L, precision.exponent_max);
      const long double lowest = std::ldexp(1.0L, precision.exponent_min - precision.mantissa_bits + 1);
      std::vector<Box> operands;
      for (int i = 0; i < 2; ++i) operands.emplace_back(random, dtype, Extents{2000});
      const auto part = [&] {
        const auto exponent = static_cast<int>(
            pick(random, precision.exponent_min - precision.mantissa_bits + 1, precision.exponent_max));
        return std::ldexp(std::uniform_real_distribution<long double>(-1.9L, 1.9L)(random), exponent);
      };
      for (std::int64_t i = 0; i < operands[0].count(); ++i) {
        const long double end = i % 2 == 0 ? highest : lowest;
        if (i < 4) {
          for (Box& operand : operands) operand.set(i, {end, i < 2 ? end : 0});
        } else {
          for (Box& operand : operands) operand.set(i, {part(), part()});
        }
      }
      Box out(random, dtype, {2000});
      REQUIRE(run_function(engine, TENURE_FN_DIVIDE, operands, out).code == TENURE_OK);
      for (std::int64_t i = 0; i < out.count(); ++i) {
        const Number arguments[] = {operands[0].get(i), operands[1].get(i)};
        const Expected expected = expected_function(TENURE_FN_DIVIDE, dtype, arguments);
        // Beside a part that overflows the other one says nothing, and neither does what is divided by 0.
        if (!(std::fabs(expected.number.re) + std::fabs(expected.number.im) < highest / 4)) continue;
        CAPTURE(level);
        CAPTURE(name);
        CAPTURE(arguments[0].re);
        CAPTURE(arguments[0].im);
        CAPTURE(arguments[1].re);
        CAPTURE(arguments[1].im);
        CAPTURE(out.get(i).re);
        CAPTURE(out.get(i).im);
        REQUIRE(is_close(out.get(i), expected, dtype));
        if (i < 4) REQUIRE(same_number(out.get(i), {1, 0}));
      }
    }
  }
}

TEST_CASE("Elementwise: no elements is success") {
  Random random(6);
  const Instance instance;
  const Engine engine(instance);
  std::vector<Box> operands;
  operands.emplace_back(random, dtype_named("i32"), Extents{3, 0, 2});
  operands.emplace_back(random, dtype_named("i32"), Extents{3, 0, 2});
  Box out(random, dtype_named("i32"), {3, 0, 2});
  CHECK(run_function(engine, TENURE_FN_DIVIDE, operands, out).code == TENURE_OK);
}

}  // namespace cpu_test
