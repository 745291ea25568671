// SPDX-License-Identifier: Apache-2.0
// Every function of the operation table for every element type that it takes, and clamp.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cases.hpp"
#include "element_type.hpp"
#include "tenure/abi/operation_table.hpp"

namespace tenure::test {

namespace {

constexpr int rounds = 6;
// Enough elements for a parallel engine to use its threads.
const Extents large{301, 233};

// Divisors of integers are not 0 and exponents of integers not negative; powers of complex numbers keep away
// from where their logarithm jumps.
Values values_of(Function function, DType dtype, std::uint32_t operand) {
  if (function == Function::pow && dtype.is_complex())
    return operand == 0 ? Values::positive : Values::finite;
  if (function == Function::pow && dtype.is_integer() && operand == 1) return Values::positive;
  const bool divides = function == Function::divide || function == Function::remainder;
  return divides && operand == 1 && !dtype.is_floating() ? Values::nonzero : Values::any;
}

struct Operand {
  std::optional<Sample> sample;  // ends last; absent for a scalar
  ElementwiseInput input;
  Json description;
};

Operand tensor_operand(CaseMaker& maker, DType dtype, const Extents& extents, Values values) {
  const Sample sample = maker.draw.broadcasting(dtype, extents, values);
  return {sample, TensorRead(sample.view), maker.file.array(sample)};
}

Operand scalar_operand(CaseMaker& maker, DType dtype, Values values) {
  return visit_element_type(dtype, [&]<class T>(std::type_identity<T>) {
    const T value = maker.draw.element<T>(values == Values::any ? Values::finite : values);
    return Operand{std::nullopt, Scalar(value), maker.file.scalar(value)};
  });
}

struct Operands {
  std::vector<Operand> all;

  std::vector<ElementwiseInput> inputs() const {
    std::vector<ElementwiseInput> list;
    for (const Operand& operand : all) list.push_back(operand.input);
    return list;
  }
  Json descriptions() const {
    Json list = Json::array();
    for (const Operand& operand : all) list.push_back(operand.description);
    return list;
  }
};

Operands draw_operands(CaseMaker& maker, const abi::FunctionRow& row, DType dtype, const Extents& extents) {
  Operands operands;
  for (std::uint32_t operand = 0; operand < row.arity; ++operand) {
    const bool is_condition = row.first_is_condition && operand == 0;
    const Values values = values_of(static_cast<Function>(row.function), dtype, operand);
    // The first operand that is no condition is a tensor.
    const bool may_be_scalar = operand > (row.first_is_condition ? 1u : 0u);
    operands.all.push_back(may_be_scalar && maker.draw.one_in(6)
                               ? scalar_operand(maker, dtype, values)
                               : tensor_operand(maker, is_condition ? boolean : dtype, extents, values));
  }
  return operands;
}

void add_function_case(CaseMaker& maker, const abi::FunctionRow& row, DType dtype, const Extents& extents) {
  const auto function = static_cast<Function>(row.function);
  const Operands operands = draw_operands(maker, row, dtype, extents);
  const std::vector<ElementwiseInput> inputs = operands.inputs();
  Json results = both_forms(
      maker, [&](const Engine& engine) { return engine.apply(function, inputs); },
      [&](const Engine& engine, const TensorViewMut& out) { engine.apply_into(function, inputs, out); });
  maker.file.add("apply", std::string(row.name), operands.descriptions(), Json::object(), std::move(results));
}

void add_where_case(CaseMaker& maker, DType dtype) {
  const Extents extents = maker.draw.extents(0, 4);
  const Sample condition = maker.draw.sample(boolean, extents, Values::any);
  const Sample a = maker.draw.sample(dtype, extents, Values::any);
  const Sample b = maker.draw.broadcasting(dtype, extents, Values::any);
  const Json inputs = {maker.file.array(condition), maker.file.array(a), maker.file.array(b)};
  Json results = both_forms(
      maker, [&](const Engine& engine) { return engine.where(condition.view, a.view, b.view); },
      [&](const Engine& engine, const TensorViewMut& out) {
        engine.where_into(condition.view, a.view, b.view, out);
      });
  maker.file.add("where", "where", inputs, Json::object(), std::move(results));
}

void add_clamp_case(CaseMaker& maker, DType dtype) {
  const Extents extents = maker.draw.extents(0, 4);
  const Sample a = maker.draw.sample(dtype, extents, Values::any);
  const Sample low = maker.draw.broadcasting(dtype, extents, Values::any);
  const Sample high = maker.draw.broadcasting(dtype, extents, Values::any);
  const Json inputs = {maker.file.array(a), maker.file.array(low), maker.file.array(high)};
  Json results = both_forms(
      maker, [&](const Engine& engine) { return engine.clamp(a.view, low.view, high.view); },
      [&](const Engine& engine, const TensorViewMut& out) {
        engine.clamp_into(a.view, low.view, high.view, out);
      });
  maker.file.add("clamp", "clamp", inputs, Json::object(), std::move(results));
}

}  // namespace

void add_elementwise_cases(CaseMaker& maker) {
  for (const abi::FunctionRow& row : abi::function_table) {
    for (const DType dtype : all_dtypes()) {
      if ((row.operand_classes & abi::class_of(dtype.abi())) == 0) continue;
      for (int round = 0; round < rounds; ++round) {
        add_function_case(maker, row, dtype, maker.draw.extents(0, 4));
      }
    }
    if ((row.operand_classes & abi::class_floating) != 0) add_function_case(maker, row, f32, large);
  }
  for (const DType dtype : all_dtypes()) {
    for (int round = 0; round < rounds; ++round) {
      add_where_case(maker, dtype);
      if (dtype.is_integer() || dtype.is_floating()) add_clamp_case(maker, dtype);
    }
  }
}

}  // namespace tenure::test
