// SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

#include <string>
#include <vector>

#include "node_rule.hpp"
#include "tenure/abi/operation_table.hpp"
#include "tenure/sdk/error.hpp"
#include "tile_program.hpp"

namespace tenure::cpu {
namespace {

[[noreturn]] void refuse(const std::string& message) { throw sdk::Error(TENURE_INVALID_ARGUMENT, message); }

void require_extents(std::span<const Operand> operands) {
  for (const Operand& operand : operands.subspan(1)) require_equal_extents(operands[0], operand);
}

// The node's kernel, after its arguments' dtypes have passed the table of operations. Values before it have
// the dtypes `known`.
ProgramNode plan_node(const KernelSet& kernels, const tenure_program_node& node,
                      std::span<const std::size_t> known) {
  const abi::FunctionRow* const row = abi::find_function(node.function);
  if (row == nullptr) {
    throw sdk::Error(TENURE_UNIMPLEMENTED,
                     "the CPU engine knows no elementwise function " + std::to_string(node.function));
  }
  ProgramNode planned{};
  planned.argument_count = row->arity;
  for (std::uint32_t i = 0; i < row->arity; ++i) {
    if (node.arguments[i] >= known.size()) refuse("a node of a program uses a value that comes after it");
    planned.arguments[i] = node.arguments[i];
  }
  const std::size_t dtype = known[planned.arguments[row->arity - 1]];
  const std::uint32_t first = row->first_is_condition ? 1 : 0;
  for (std::uint32_t i = first; i + 1 < row->arity; ++i) {
    if (known[planned.arguments[i]] != dtype) {
      refuse(std::string(row->name) + ": the operands of a node have different dtypes");
    }
  }
  if (row->first_is_condition && !abi::is_boolean(abi::dtype_table[known[planned.arguments[0]]].dtype)) {
    refuse(std::string(row->name) + ": the condition is not bool");
  }
  planned.kernel = kernels.node(node.function, dtype);
  if (planned.kernel == nullptr) {
    throw sdk::Error(TENURE_UNIMPLEMENTED, "the CPU engine does not compute " + std::string(row->name) +
                                               " of " + std::string(abi::dtype_table[dtype].name));
  }
  const NodeRule& rule = node_rule(*row, dtype);
  if (!abi::same_dtype(rule.result, node.dtype)) {
    refuse(std::string(row->name) + ": a node's dtype is not that of its result");
  }
  planned.dtype = dtype_index(rule.result);
  planned.forbidden = rule.forbidden;
  planned.cost = rule.cost;
  return planned;
}

// The program with everything behind its last node that forbids something left out, and of that only the
// argument which may hold it used.
std::vector<ProgramNode> checked_nodes(std::span<const ProgramNode> nodes) {
  std::size_t count = nodes.size();
  while (count > 0 && nodes[count - 1].forbidden == Forbidden::nothing) --count;
  std::vector<ProgramNode> checked(nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(count));
  if (checked.empty()) return checked;
  ProgramNode& last = checked.back();
  last.arguments[0] = last.arguments[1];
  last.argument_count = 1;
  last.kernel = nullptr;
  return checked;
}

void run_nodes(const Executor& executor, std::span<const Operand> inputs, std::span<const Operand> outputs,
               std::span<const tenure_scalar> constants, std::span<const ProgramNode> nodes,
               std::span<const std::uint32_t> output_values) {
  if (element_count(outputs[0].extents) == 0) return;
  const std::vector<ProgramNode> checked = checked_nodes(nodes);
  if (!checked.empty()) TileProgram(executor, inputs, {}, constants, checked, {}).check();
  TileProgram(executor, inputs, outputs, constants, nodes, output_values).run();
}

}  // namespace

bool supports_function(const KernelSet& kernels, std::uint32_t function,
                       std::span<const tenure_dtype> dtypes) noexcept {
  const abi::FunctionRow* const row = abi::find_function(function);
  if (row == nullptr || dtypes.size() != row->arity + 1) return false;
  const tenure_dtype operand = dtypes[row->arity - 1];
  for (std::uint32_t i = 0; i < row->arity; ++i) {
    const bool is_right =
        row->first_is_condition && i == 0 ? abi::is_boolean(dtypes[i]) : abi::same_dtype(dtypes[i], operand);
    if (!is_right) return false;
  }
  return abi::same_dtype(dtypes.back(), abi::result_dtype(*row, operand)) &&
         kernels.node(function, dtype_index(operand)) != nullptr;
}

void run_program(const Executor& executor, const tenure_program_attributes& program,
                 std::span<const Operand> operands) {
  if (operands.empty() || program.output_count == 0 ||
      std::uint64_t{program.input_count} + program.output_count != operands.size()) {
    refuse("a program has " + std::to_string(program.input_count) + " inputs and " +
           std::to_string(program.output_count) + " outputs; found " + std::to_string(operands.size()) +
           " operands");
  }
  require_extents(operands);
  const auto inputs = operands.first(program.input_count);
  const auto outputs = operands.subspan(program.input_count);
  const std::span constants(program.constants, program.constant_count);

  std::vector<std::size_t> dtypes;  // of the values
  dtypes.reserve(inputs.size() + constants.size() + program.node_count);
  for (const Operand& input : inputs) dtypes.push_back(input.dtype);
  for (const tenure_scalar& constant : constants) {
    dtypes.push_back(dtype_index(constant.dtype));
    if (dtypes.back() == dtype_count) refuse("a constant of a program has an unknown dtype");
  }
  std::vector<ProgramNode> nodes;
  nodes.reserve(program.node_count);
  for (std::uint32_t i = 0; i < program.node_count; ++i) {
    nodes.push_back(plan_node(executor.kernels, program.nodes[i], dtypes));
    dtypes.push_back(nodes.back().dtype);
  }
  for (std::uint32_t i = 0; i < program.output_count; ++i) {
    if (program.outputs[i] >= dtypes.size()) refuse("a program has an output without a value");
    if (dtypes[program.outputs[i]] != outputs[i].dtype)
      refuse("an output of a program has another dtype than its value");
  }

  run_nodes(executor, inputs, outputs, constants, nodes, {program.outputs, program.output_count});
}

void run_cast(const Executor& executor, const Operand& in, const Operand& out) {
  require_equal_extents(in, out);
  ProgramNode node{};
  node.kernel = executor.kernels.cast->from[in.dtype][out.dtype];
  node.argument_count = 1;
  node.dtype = out.dtype;
  node.cost = 2;
  constexpr std::uint32_t result = 1;
  run_nodes(executor, {&in, 1}, {&out, 1}, {}, {&node, 1}, {&result, 1});
}

void scale(const Executor& executor, const Operand& out, const tenure_scalar& factor) {
  ProgramNode node{};
  node.kernel = executor.kernels.node(TENURE_FN_MULTIPLY, out.dtype);
  node.arguments[1] = 1;
  node.argument_count = 2;
  node.dtype = out.dtype;
  node.cost = 1;
  constexpr std::uint32_t result = 2;
  run_nodes(executor, {&out, 1}, {&out, 1}, {&factor, 1}, {&node, 1}, {&result, 1});
}

}  // namespace tenure::cpu
