// SPDX-License-Identifier: Apache-2.0
// Programs of functions that are exact, so that each result has one right value.
#include <array>
#include <string>
#include <vector>

#include "cases.hpp"
#include "tenure/abi/operation_table.hpp"

namespace tenure::test {

namespace {

constexpr int rounds = 40;

constexpr std::array unary{Function::neg, Function::abs, Function::conj, Function::floor};
constexpr std::array binary{Function::add, Function::subtract, Function::multiply, Function::maximum,
                            Function::minimum};

template <class List>
Function one_of(Draw& draw, const List& functions) {
  return functions[static_cast<std::size_t>(
      draw.between(0, static_cast<std::int64_t>(functions.size()) - 1))];
}

// Each node as its function and the numbers of its arguments: inputs first, then nodes.
struct DrawnProgram {
  Program program;
  Json nodes = Json::array();
  Json outputs = Json::array();

  DrawnProgram(Draw& draw, DType dtype, std::int64_t input_count) {
    std::vector<Program::Value> values;
    for (std::int64_t input = 0; input < input_count; ++input) values.push_back(program.input(dtype));
    for (std::int64_t node = draw.between(1, 6); node > 0; --node) {
      const bool is_unary = draw.one_in(3);
      const Function function = is_unary ? one_of(draw, unary) : one_of(draw, binary);
      std::vector<Program::Value> arguments;
      Json numbers = Json::array();
      for (int argument = 0; argument < (is_unary ? 1 : 2); ++argument) {
        const std::int64_t number = draw.between(0, static_cast<std::int64_t>(values.size()) - 1);
        arguments.push_back(values[static_cast<std::size_t>(number)]);
        numbers.push_back(number);
      }
      values.push_back(program.apply(function, arguments));
      nodes.push_back({{"function", row_of(function).name}, {"arguments", std::move(numbers)}});
    }
    const auto last = static_cast<std::int64_t>(values.size()) - 1;
    for (const std::int64_t number : {last, draw.between(input_count, last)}) {
      program.output(values[static_cast<std::size_t>(number)]);
      outputs.push_back(number);
    }
  }
};

void add_program_case(CaseMaker& maker, DType dtype) {
  const Extents extents = maker.draw.extents(0, 4);
  const std::int64_t input_count = maker.draw.between(1, 3);
  const DrawnProgram drawn(maker.draw, dtype, input_count);
  std::vector<Sample> samples;
  std::vector<TensorRead> inputs;
  Json descriptions = Json::array();
  for (std::int64_t input = 0; input < input_count; ++input) {
    samples.push_back(maker.draw.sample(dtype, extents, Values::any));
    inputs.emplace_back(samples.back().view);
    descriptions.push_back(maker.file.array(samples.back()));
  }
  const std::vector<Tensor> made = maker.engine().run(drawn.program, inputs);
  std::vector<Target> targets;
  for (const Tensor& each : made) targets.push_back(maker.draw.target(each.dtype(), extents));
  {
    std::vector<TensorViewMut> views;
    std::vector<TensorWrite> outputs;
    for (const Target& target : targets) views.push_back(target.view());
    for (const TensorViewMut& view : views) outputs.emplace_back(view);
    maker.engine().run_into(drawn.program, inputs, outputs);
  }
  maker.file.add("run", "run", std::move(descriptions), {{"nodes", drawn.nodes}, {"outputs", drawn.outputs}},
                 {{"allocated", maker.file.arrays(made)}, {"into", maker.file.arrays(targets)}});
}

}  // namespace

void add_program_cases(CaseMaker& maker) {
  for (const DType dtype : {f32, f64, i32, i64, u8}) {
    for (int round = 0; round < rounds; ++round) add_program_case(maker, dtype);
  }
}

}  // namespace tenure::test
