// SPDX-License-Identifier: Apache-2.0
// program_builder: elementwise programs for tests.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "box.hpp"
#include "cpu_plugin.hpp"
#include "tenure/abi/operation_table.hpp"
#include "tenure/provider_engine.h"

namespace cpu_test {

// Values are numbered as the contract numbers them. Add all constants before the first node.
class Program {
 public:
  explicit Program(std::uint32_t input_count) : input_count_(input_count) {}

  std::uint32_t add_constant(Dtype dtype, const Number& number) {
    tenure_scalar scalar{};
    scalar.dtype = to_abi(dtype);
    write_number(dtype, number, reinterpret_cast<std::byte*>(scalar.value));
    constants_.push_back(scalar);
    return input_count_ + static_cast<std::uint32_t>(constants_.size()) - 1;
  }

  // `operand` is the dtype of the operands, apart from a condition.
  std::uint32_t add_node(std::uint32_t function, Dtype operand,
                         std::initializer_list<std::uint32_t> arguments) {
    tenure_program_node node{};
    node.function = function;
    const auto* const row = tenure::abi::find_function(function);
    node.dtype = row == nullptr ? to_abi(operand) : tenure::abi::result_dtype(*row, to_abi(operand));
    std::uint32_t i = 0;
    for (const std::uint32_t argument : arguments) node.arguments[i++] = argument;
    nodes_.push_back(node);
    return input_count_ + static_cast<std::uint32_t>(constants_.size() + nodes_.size()) - 1;
  }

  void add_output(std::uint32_t value) { outputs_.push_back(value); }

  std::vector<tenure_program_node>& nodes() { return nodes_; }

  // Borrows this program.
  tenure_program_attributes attributes() const {
    auto attributes = tenure::abi::make_struct<tenure_program_attributes>();
    attributes.input_count = input_count_;
    attributes.constant_count = static_cast<std::uint32_t>(constants_.size());
    attributes.node_count = static_cast<std::uint32_t>(nodes_.size());
    attributes.output_count = static_cast<std::uint32_t>(outputs_.size());
    attributes.constants = constants_.data();
    attributes.nodes = nodes_.data();
    attributes.outputs = outputs_.data();
    return attributes;
  }

 private:
  std::uint32_t input_count_;
  std::vector<tenure_scalar> constants_;
  std::vector<tenure_program_node> nodes_;
  std::vector<std::uint32_t> outputs_;
};

inline Outcome run_program(const Engine& engine, const Program& program, const std::vector<Box>& inputs,
                           std::vector<Box>& outputs) {
  std::vector<tenure_operand> operands;
  for (const Box& input : inputs) operands.push_back(input.operand(TENURE_OPERAND_READ));
  for (const Box& output : outputs) operands.push_back(output.operand(TENURE_OPERAND_WRITE));
  const auto attributes = program.attributes();
  return engine.execute(TENURE_OP_PROGRAM, operands, &attributes);
}

// The program of one function of its inputs.
inline Outcome run_function(const Engine& engine, std::uint32_t function, const std::vector<Box>& inputs,
                            Box& out) {
  Program program(static_cast<std::uint32_t>(inputs.size()));
  const Dtype operand = inputs.back().dtype();
  switch (inputs.size()) {
    case 1:
      program.add_output(program.add_node(function, operand, {0}));
      break;
    case 2:
      program.add_output(program.add_node(function, operand, {0, 1}));
      break;
    default:
      program.add_output(program.add_node(function, operand, {0, 1, 2}));
      break;
  }
  std::vector<tenure_operand> operands;
  for (const Box& input : inputs) operands.push_back(input.operand(TENURE_OPERAND_READ));
  operands.push_back(out.operand(TENURE_OPERAND_WRITE));
  const auto attributes = program.attributes();
  return engine.execute(TENURE_OP_PROGRAM, operands, &attributes);
}

}  // namespace cpu_test
