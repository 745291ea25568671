// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <cstring>

#include "cpu_plugin.hpp"
#include "element.hpp"
#include "program_builder.hpp"

// Shapes without elements whose other extents have no product in 64 bits.
namespace cpu_test {
namespace {

constexpr std::int64_t huge = std::int64_t{1} << 40;
constexpr std::array<std::int64_t, 3> empty_extents{huge, huge, 0};
constexpr std::array<std::int64_t, 3> empty_strides{1, huge, 0};

tenure_operand operand(const char* dtype, const std::int64_t* extents, const std::int64_t* strides,
                       std::uint32_t rank, void* address = nullptr) {
  auto operand = tenure::abi::make_struct<tenure_operand>();
  operand.address = address;
  operand.extents = extents;
  operand.strides = strides;
  operand.rank = rank;
  operand.dtype = to_abi(dtype_named(dtype));
  return operand;
}

tenure_operand empty(const char* dtype) {
  return operand(dtype, empty_extents.data(), empty_strides.data(), 3);
}

void check_success(const Outcome& outcome) {
  INFO(outcome.message);
  CHECK(outcome.code == TENURE_OK);
}

}  // namespace

TEST_CASE("Empty: every elementwise family succeeds without an address") {
  const Instance instance;
  for (const std::uint32_t mode : {TENURE_ENGINE_SERIAL, TENURE_ENGINE_PARALLEL}) {
    const Engine engine(instance, mode, 2);
    check_success(engine.execute(TENURE_OP_COPY, std::array{empty("f64"), empty("f64")}));
    check_success(engine.execute(TENURE_OP_CAST, std::array{empty("i32"), empty("f64")}));
    auto fill = tenure::abi::make_struct<tenure_fill_attributes>();
    fill.value.dtype = to_abi(dtype_named("f32"));
    check_success(engine.execute(TENURE_OP_FILL, std::array{empty("f32")}, &fill));

    Program single(2);
    single.add_output(single.add_node(TENURE_FN_ADD, dtype_named("i32"), {0, 1}));
    Program longer(2);
    const auto quotient = longer.add_node(TENURE_FN_DIVIDE, dtype_named("i32"), {0, 1});
    longer.add_output(longer.add_node(TENURE_FN_ADD, dtype_named("i32"), {quotient, 1}));
    for (const Program* const program : {&single, &longer}) {
      const auto attributes = program->attributes();
      check_success(engine.execute(TENURE_OP_PROGRAM, std::array{empty("i32"), empty("i32"), empty("i32")},
                                   &attributes));
    }
  }
}

TEST_CASE("Empty: a reduction has no results or the result of no elements") {
  const Instance instance;
  const Engine engine(instance);
  auto attributes = tenure::abi::make_struct<tenure_reduce_attributes>();
  attributes.function = TENURE_REDUCE_MAX;
  attributes.axis_mask = 3;
  const std::array<std::int64_t, 3> none{1, 1, 0}, one{1, 1, 1};
  const auto no_results = operand("f64", none.data(), empty_strides.data(), 3);
  check_success(engine.execute(TENURE_OP_REDUCE, std::array{empty("f64"), no_results}, &attributes));

  double result = 7;
  attributes.axis_mask = 7;
  const auto one_result = operand("f64", one.data(), empty_strides.data(), 3, &result);
  const std::array operands{empty("f64"), one_result};
  CHECK(engine.execute(TENURE_OP_REDUCE, operands, &attributes).code == TENURE_INVALID_ARGUMENT);
  CHECK(result == 7);
  attributes.function = TENURE_REDUCE_SUM;
  check_success(engine.execute(TENURE_OP_REDUCE, operands, &attributes));
  CHECK(result == 0);
  attributes.function = TENURE_REDUCE_MEAN;
  check_success(engine.execute(TENURE_OP_REDUCE, operands, &attributes));
  CHECK(result != result);
}

TEST_CASE("Empty: a contraction writes nothing or beta times its output") {
  const Instance instance;
  const Engine engine(instance);
  const std::uint32_t left_axis = 2, right_axis = 0;
  auto attributes = tenure::abi::make_struct<tenure_contract_attributes>();
  attributes.contracted_count = 1;
  attributes.left_contracted = &left_axis;
  attributes.right_contracted = &right_axis;
  const double one = 1, half = 0.5;
  attributes.alpha.dtype = attributes.beta.dtype = to_abi(dtype_named("f64"));
  std::memcpy(attributes.alpha.value, &one, sizeof one);
  std::memcpy(attributes.beta.value, &half, sizeof half);
  const std::array<std::int64_t, 2> right_extents{0, 0};
  const auto right = operand("f64", right_extents.data(), empty_strides.data(), 2);
  check_success(
      engine.execute(TENURE_OP_CONTRACT, std::array{empty("f64"), right, empty("f64")}, &attributes));

  const std::uint32_t terms_left[] = {0, 1, 2}, terms_right[] = {0, 1, 2};
  attributes.contracted_count = 3;
  attributes.left_contracted = terms_left;
  attributes.right_contracted = terms_right;
  double result = 6;
  const auto scalar = operand("f64", nullptr, nullptr, 0, &result);
  check_success(
      engine.execute(TENURE_OP_CONTRACT, std::array{empty("f64"), empty("f64"), scalar}, &attributes));
  CHECK(result == 3);
}

}  // namespace cpu_test
