// SPDX-License-Identifier: Apache-2.0
#include "one_loop.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "node_rule.hpp"
#include "scalar_element.hpp"
#include "streaming.hpp"
#include "tenure/abi/operation_table.hpp"

namespace tenure::cpu {
namespace {

// Arguments of a node, at most.
constexpr std::size_t arity_max = 3;

// A dtype as one number, which is read and compared sooner than its members.
constexpr std::uint32_t number_of(tenure_dtype dtype) noexcept { return std::bit_cast<std::uint32_t>(dtype); }
constexpr std::uint32_t boolean = number_of({TENURE_DTYPE_BOOL, 8, 1});

bool has_axes(const tenure_operand& operand) noexcept {
  return operand.address != nullptr && operand.extents != nullptr && operand.strides != nullptr;
}

// One kernel and what it is called with.
struct Loop {
  NodeKernel kernel;
  std::int64_t cost;
  std::int64_t count;
  std::byte* out;
  std::int64_t out_item_bytes;
  std::uint32_t argument_count;
  unsigned scalar_mask;
  const void* arguments[arity_max];
  std::int64_t item_bytes[arity_max];  // 0 where one element stands for all
  ScalarElement elements[arity_max];   // the constants among the arguments

  // In place the lines are read anyway.
  bool is_in_place() const noexcept {
    const auto end = std::begin(arguments) + argument_count;
    return std::find(std::begin(arguments), end, out) != end;
  }
  const std::byte* argument_at(std::uint32_t argument, std::int64_t element) const noexcept {
    return static_cast<const std::byte*>(arguments[argument]) + element * item_bytes[argument];
  }
  void compute(std::int64_t first, std::int64_t length, std::byte* result) const {
    const void* here[arity_max] = {};
    for (std::uint32_t i = 0; i < argument_count; ++i) here[i] = argument_at(i, first);
    kernel(here, scalar_mask, result, length);
  }
};

// How many elements the output has; 0 where it is not compact, or has none.
inline std::int64_t count_output(const tenure_operand& out) noexcept {
  if (!has_axes(out) || out.rank > TENURE_RANK_MAX) return 0;
  // Unsigned, because without elements the extents may have any product.
  std::uint64_t count = 1;
  for (std::uint32_t axis = 0; axis < out.rank; ++axis) {
    const auto extent = static_cast<std::uint64_t>(out.extents[axis]);
    if (static_cast<std::uint64_t>(out.strides[axis]) != count && extent != 1) return 0;
    count *= extent;
  }
  return static_cast<std::int64_t>(count);
}

// What an input is that neither lies as the output does nor has one element that stands for all.
constexpr std::int64_t no_step = -1;

// Of an input with other strides than the output.
[[gnu::noinline]] std::int64_t unlike_step(const tenure_operand& in, const tenure_operand& out,
                                           std::int64_t item_bytes) noexcept {
  bool is_like_output = true;
  bool is_constant = true;
  for (std::uint32_t axis = 0; axis < in.rank; ++axis) {
    if (in.extents[axis] == 1) continue;
    is_like_output &= in.strides[axis] == out.strides[axis];
    is_constant &= in.strides[axis] == 0;
  }
  return is_like_output ? item_bytes : is_constant ? 0 : no_step;
}

// The bytes from one element to the next of an input, in the order of the output.
inline std::int64_t step_bytes(const tenure_operand& in, const tenure_operand& out,
                               std::int64_t item_bytes) noexcept {
  if (!has_axes(in) || in.rank != out.rank) return no_step;
  if (in.extents == out.extents && in.strides == out.strides) return item_bytes;
  bool has_equal_strides = true;
  for (std::uint32_t axis = 0; axis < out.rank; ++axis) {
    if (in.extents[axis] != out.extents[axis]) return no_step;
    has_equal_strides &= in.strides[axis] == out.strides[axis];
  }
  return has_equal_strides ? item_bytes : unlike_step(in, out, item_bytes);
}

// Whether the operation is a cast that is one loop.
bool plan_cast(const KernelSet& kernels, const sdk::Operation& operation, Loop& loop) noexcept {
  if (operation.operand_count() != 2) return false;
  tenure_operand in_room;
  tenure_operand out_room;
  const tenure_operand& in = operation.operand(0, in_room);
  const tenure_operand& out = operation.operand(1, out_room);
  const std::size_t source = dtype_index(in.dtype);
  const std::size_t target = dtype_index(out.dtype);
  if (source == dtype_count || target == dtype_count) return false;
  loop.kernel = kernels.cast->from[source][target];
  loop.cost = 2;
  loop.count = count_output(out);
  loop.out = static_cast<std::byte*>(out.address);
  loop.out_item_bytes = abi::dtype_table[target].bytes;
  loop.argument_count = 1;
  loop.scalar_mask = 0;
  loop.arguments[0] = in.address;
  loop.item_bytes[0] = step_bytes(in, out, abi::dtype_table[source].bytes);
  return loop.count != 0 && loop.item_bytes[0] > 0;
}

// The operation's program when it has one node, whose value is its output; otherwise null.
const tenure_program_attributes* find_single_node(const sdk::Operation& operation,
                                                  tenure_program_attributes& room) noexcept {
  const auto* const program = operation.find_attributes(room);
  if (program == nullptr || program->node_count != 1 || program->output_count != 1) return nullptr;
  const std::uint64_t value_count = std::uint64_t{program->input_count} + program->constant_count;
  const bool is_sound = program->input_count != 0 && value_count <= arity_max &&
                        program->outputs[0] == value_count &&
                        operation.operand_count() == program->input_count + 1;
  return is_sound ? program : nullptr;
}

// Of an input or a constant.
std::uint32_t dtype_of(const sdk::Operation& operation, const tenure_program_attributes& program,
                       std::uint32_t value) noexcept {
  if (value >= program.input_count) return number_of(program.constants[value - program.input_count].dtype);
  tenure_operand room;
  return number_of(operation.operand(value, room).dtype);
}

// What the arguments of a node are to be.
struct ArgumentRule {
  std::uint32_t first;  // before it there is a condition, or nothing
  std::uint32_t dtype;
  std::int64_t item_bytes;
};

void take_constant(const tenure_scalar& value, std::uint32_t argument, Loop& loop) noexcept {
  loop.elements[argument] = to_element(value);
  loop.arguments[argument] = loop.elements[argument].bytes;
  loop.item_bytes[argument] = 0;
}

// Whether the arguments of the node keep the rule, can be those of a loop and are all inputs and constants.
inline bool take_arguments(const sdk::Operation& operation, const tenure_program_attributes& program,
                           const ArgumentRule& rule, const tenure_operand& out, Loop& loop) noexcept {
  const std::uint32_t value_count = program.input_count + program.constant_count;
  unsigned used = 0;
  unsigned scalar_mask = 0;
  for (std::uint32_t i = 0; i < loop.argument_count; ++i) {
    const bool is_condition = i < rule.first;
    const std::uint32_t value = program.nodes[0].arguments[i];
    std::uint32_t dtype = 0;
    if (value < program.input_count) {
      tenure_operand room;
      const tenure_operand& in = operation.operand(value, room);
      const std::int64_t step = step_bytes(in, out, is_condition ? 1 : rule.item_bytes);
      if (step == no_step) return false;
      loop.arguments[i] = in.address;
      loop.item_bytes[i] = step;
      dtype = number_of(in.dtype);
    } else {
      if (value >= value_count) return false;
      const tenure_scalar& constant = program.constants[value - program.input_count];
      take_constant(constant, i, loop);
      dtype = number_of(constant.dtype);
    }
    if (dtype != (is_condition ? boolean : rule.dtype)) return false;
    used |= 1u << value;
    scalar_mask |= (loop.item_bytes[i] == 0 ? 1u : 0u) << i;
  }
  loop.scalar_mask = scalar_mask;
  return used + 1 == 1u << value_count && scalar_mask + 1 != 1u << loop.argument_count;
}

// Whether the program is one function of all its inputs and constants that is one loop.
bool plan_program(const KernelSet& kernels, const sdk::Operation& operation, Loop& loop) noexcept {
  tenure_program_attributes program_room;
  const tenure_program_attributes* const program = find_single_node(operation, program_room);
  if (program == nullptr) return false;
  const tenure_program_node& node = program->nodes[0];
  const abi::FunctionRow* const row = abi::find_function(node.function);
  if (row == nullptr || node.arguments[row->arity - 1] >= program->input_count + program->constant_count)
    return false;
  // That of the last argument is the others', but for a condition.
  const std::uint32_t dtype = dtype_of(operation, *program, node.arguments[row->arity - 1]);
  const std::size_t place = dtype_index(std::bit_cast<tenure_dtype>(dtype));
  if (place == dtype_count) return false;
  const NodeRule& rule = node_rule(*row, place);
  tenure_operand out_room;
  const tenure_operand& out = operation.operand(program->input_count, out_room);
  loop.kernel = kernels.node(node.function, place);
  loop.cost = rule.cost;
  loop.count = count_output(out);
  loop.out = static_cast<std::byte*>(out.address);
  loop.out_item_bytes = rule.result_bytes;
  loop.argument_count = row->arity;
  if (loop.kernel == nullptr || loop.count == 0 || rule.forbidden != Forbidden::nothing ||
      !abi::same_dtype(rule.result, node.dtype) || !abi::same_dtype(rule.result, out.dtype))
    return false;
  const std::uint32_t first = row->first_is_condition ? 1 : 0;
  return take_arguments(operation, *program, {first, dtype, abi::dtype_table[place].bytes}, out, loop);
}

// Divided into tasks, or with results that are stored past the caches.
[[gnu::noinline]] void run_long(const Executor& executor, const Loop& loop, const Division& division,
                                bool is_streaming) {
  const auto compute_piece = [&](std::int64_t first, std::int64_t length, std::byte* piece) {
    const std::int64_t next = first + length;
    const std::int64_t next_length = fetches_ahead(loop.cost) ? 0 : std::min(length, loop.count - next);
    for (std::uint32_t i = 0; i < loop.argument_count; ++i) {
      fetch_ahead(loop.argument_at(i, next), next_length * loop.item_bytes[i]);
    }
    loop.compute(first, length, piece);
  };
  for_each_task(executor, division, [&](std::int64_t begin, std::int64_t end) {
    if (is_streaming) {
      stream_pieces(executor, loop.out, loop.out_item_bytes, begin, end, compute_piece);
    } else {
      loop.compute(begin, end - begin, loop.out + begin * loop.out_item_bytes);
    }
  });
}

void run(const Executor& executor, const Loop& loop) {
  const bool is_streaming = executor.streams(loop.count * loop.out_item_bytes) && !loop.is_in_place();
  const Division division = divide_work(executor, loop.count, loop.cost, 64);
  if (is_streaming || !division.is_one_task()) return run_long(executor, loop, division, is_streaming);
  loop.kernel(loop.arguments, loop.scalar_mask, loop.out, loop.count);
}

}  // namespace

bool run_one_loop(const Executor& executor, const sdk::Operation& operation) {
  Loop loop;
  const bool is_planned =
      operation.code() == TENURE_OP_PROGRAM
          ? plan_program(executor.kernels, operation, loop)
          : operation.code() == TENURE_OP_CAST && plan_cast(executor.kernels, operation, loop);
  if (is_planned) run(executor, loop);
  return is_planned;
}

}  // namespace tenure::cpu
