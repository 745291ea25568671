// SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "kernels/function_cost.hpp"
#include "scalar_element.hpp"
#include "streaming.hpp"
#include "tenure/abi/operation_table.hpp"
#include "tenure/sdk/error.hpp"
#include "tile_program.hpp"

namespace tenure::cpu {
namespace {

// Arguments of a node, at most.
constexpr std::size_t arity_max = 3;

[[noreturn]] void refuse(const std::string& message) { throw sdk::Error(TENURE_INVALID_ARGUMENT, message); }

Forbidden forbidden_of(std::uint32_t function, std::size_t dtype) noexcept {
  const tenure_dtype found = abi::dtype_table[dtype].dtype;
  if (!abi::is_integer(found)) return Forbidden::nothing;
  if (function == TENURE_FN_DIVIDE || function == TENURE_FN_REMAINDER) return Forbidden::zero;
  const bool has_sign = found.code == TENURE_DTYPE_INT;
  return function == TENURE_FN_POW && has_sign ? Forbidden::negative : Forbidden::nothing;
}

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
  const tenure_dtype result = abi::result_dtype(*row, abi::dtype_table[dtype].dtype);
  if (!abi::same_dtype(result, node.dtype)) {
    refuse(std::string(row->name) + ": a node's dtype is not that of its result");
  }
  planned.dtype = dtype_index(result);
  planned.forbidden = forbidden_of(node.function, dtype);
  planned.cost = cost_of(node.function, dtype);
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

// One node over operands that lie in memory as the output does, which is compact, or are constant, needs no
// plan: it is one loop.
bool run_simple_node(const Executor& executor, const ProgramNode& node, std::span<const Operand> inputs,
                     std::span<const tenure_scalar> constants, const Operand& out) {
  if (node.forbidden != Forbidden::nothing || !is_compact(out)) return false;
  const std::byte* arguments[arity_max] = {};
  ScalarElement elements[arity_max];
  std::int64_t steps[arity_max] = {};
  unsigned scalar_mask = 0;
  for (std::uint32_t i = 0; i < node.argument_count; ++i) {
    const std::uint32_t value = node.arguments[i];
    if (value >= inputs.size()) {
      elements[i] = to_element(constants[value - inputs.size()]);
      arguments[i] = elements[i].bytes;
      scalar_mask |= 1u << i;
      continue;
    }
    const Operand& in = inputs[value];
    arguments[i] = in.address;
    if (abi::have_equal_numbers(in.strides, out.strides) || is_compact(in)) {
      steps[i] = in.element_bytes();
    } else if (is_constant(in)) {
      scalar_mask |= 1u << i;
    } else {
      return false;
    }
  }
  const std::int64_t count = element_count(out.extents);
  if (scalar_mask + 1 == 1u << node.argument_count) return false;
  if (count == 0) return true;
  const auto compute = [&](std::int64_t first, std::int64_t length, std::byte* result) {
    const void* here[arity_max] = {};
    for (std::uint32_t i = 0; i < node.argument_count; ++i) here[i] = arguments[i] + first * steps[i];
    node.kernel(here, scalar_mask, result, length);
  };
  const auto compute_piece = [&](std::int64_t first, std::int64_t length, std::byte* piece) {
    const std::int64_t next = first + length;
    const std::int64_t next_length = fetches_ahead(node.cost) ? 0 : std::min(length, count - next);
    for (std::uint32_t i = 0; i < node.argument_count; ++i) {
      fetch_ahead(arguments[i] + next * steps[i], next_length * steps[i]);
    }
    compute(first, length, piece);
  };
  // In place the lines are read anyway.
  const bool is_in_place = std::ranges::find(arguments, out.address) != std::end(arguments);
  const bool is_streaming = !is_in_place && executor.streams(count * out.element_bytes());
  const Division division = divide_work(executor, count, node.cost, 64);
  for_each_task(executor, division, [&](std::int64_t begin, std::int64_t end) {
    if (is_streaming) {
      stream_pieces(executor, out.address, out.element_bytes(), begin, end, compute_piece);
    } else {
      compute(begin, end - begin, out.address + begin * out.element_bytes());
    }
  });
  return true;
}

void run_nodes(const Executor& executor, std::span<const Operand> inputs, std::span<const Operand> outputs,
               std::span<const tenure_scalar> constants, std::span<const ProgramNode> nodes,
               std::span<const std::uint32_t> output_values) {
  if (element_count(outputs[0].extents) == 0) return;
  const std::vector<ProgramNode> checked = checked_nodes(nodes);
  if (!checked.empty()) TileProgram(executor, inputs, {}, constants, checked, {}).check();
  TileProgram(executor, inputs, outputs, constants, nodes, output_values).run();
}

// Whether the program is one function of its inputs and constants and nothing else, computed here when it is
// simple.
bool run_single_function(const Executor& executor, const tenure_program_attributes& program,
                         std::span<const Operand> operands) {
  const std::uint64_t value_count = std::uint64_t{program.input_count} + program.constant_count;
  if (program.node_count != 1 || value_count > arity_max) return false;
  if (program.output_count != 1 || program.outputs[0] != value_count) return false;
  std::size_t dtypes[arity_max] = {};
  for (std::uint32_t i = 0; i < program.input_count; ++i) dtypes[i] = operands[i].dtype;
  for (std::uint32_t i = 0; i < program.constant_count; ++i) {
    const std::size_t dtype = dtype_index(program.constants[i].dtype);
    if (dtype == dtype_count) return false;
    dtypes[program.input_count + i] = dtype;
  }
  const ProgramNode node = plan_node(executor.kernels, program.nodes[0], {dtypes, value_count});
  return node.dtype == operands.back().dtype &&
         run_simple_node(executor, node, operands.first(program.input_count),
                         {program.constants, program.constant_count}, operands.back());
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
  if (run_single_function(executor, program, operands)) return;
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
  if (run_simple_node(executor, node, {&in, 1}, {}, out)) return;
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
