// SPDX-License-Identifier: Apache-2.0
// Programs of several elementwise functions.
#include <boost/container/static_vector.hpp>
#include <string>
#include <vector>

#include "execution/dtype_rule.hpp"
#include "execution/elementwise_operands.hpp"
#include "execution/function_call.hpp"
#include "tensor/disjoint.hpp"
#include "tenure/abi/struct_head.hpp"
#include "tenure/base/validation_error.hpp"
#include "tenure/execution/engine.hpp"
#include "tenure/tensor/uninitialized_tensor.hpp"

namespace tenure::inline TENURE_BUILD {
namespace {

void require_count(const char* operation, const char* argument, std::size_t wanted, std::size_t found) {
  if (wanted == found && found != 0) return;
  const std::string sentence =
      wanted == 0 ? "a program with at least one was wanted, found one without"
                  : "the program has " + std::to_string(wanted) + ", found " + std::to_string(found);
  throw ValidationError(operation, InvalidArgument{argument, sentence + "; give one for each"});
}

// The inputs as the program wants them.
std::vector<const TensorRead*> bind(const char* operation, const Program& program,
                                    std::span<const TensorRead> inputs) {
  require_count(operation, "inputs", program.inputs().size(), inputs.size());
  std::vector<const TensorRead*> tensors;
  for (const TensorRead& input : inputs) {
    require_equal_dtypes(operation, program.inputs()[tensors.size()], input.dtype());
    tensors.push_back(&input);
  }
  return tensors;
}

}  // namespace

void Engine::require_program_support(const char* operation, const Program& program) const {
  for (const Program::Node& node : program.nodes_) {
    boost::container::static_vector<DType, arity_max + 1> dtypes;
    for (const Program::Value& argument : node.arguments) dtypes.push_back(argument.dtype());
    dtypes.push_back(node.dtype);
    require_support(operation, TENURE_OP_PROGRAM, static_cast<std::uint32_t>(node.function),
                    {dtypes.data(), dtypes.size()});
  }
}

void Engine::run_program(const char* operation, const Program& program, OperandList& operands,
                         std::span<const ViewState* const> outputs) const {
  if (outputs.front()->layout().is_empty()) return;
  for (const ViewState* output : outputs) operands.add_output(*output);
  const Program::Numbered numbered = program.numbered();
  auto attributes = abi::make_struct<tenure_program_attributes>();
  attributes.input_count = static_cast<std::uint32_t>(program.inputs_.size());
  attributes.constant_count = static_cast<std::uint32_t>(program.constants_.size());
  attributes.node_count = static_cast<std::uint32_t>(numbered.nodes.size());
  attributes.output_count = static_cast<std::uint32_t>(numbered.outputs.size());
  attributes.constants = program.constants_.data();
  attributes.nodes = numbered.nodes.data();
  attributes.outputs = numbered.outputs.data();
  execute(operation, TENURE_OP_PROGRAM, operands, &attributes);
}

std::vector<Tensor> Engine::run_named(const char* operation, const Program& program,
                                      std::span<const TensorRead> inputs) const {
  live(operation);
  const auto tensors = bind(operation, program, inputs);
  const auto dtypes = program.outputs();
  require_count(operation, "outputs", dtypes.size(), dtypes.size());
  const CommonExtents extents(operation, tensors);
  require_program_support(operation, program);
  OperandList operands(tensors.size() + dtypes.size());
  add_inputs(operands, tensors, extents.span());
  operands.require_mappable(operation);
  std::vector<UninitializedTensor> outputs;
  std::vector<ViewState> targets;
  std::vector<const ViewState*> pointers;
  targets.reserve(dtypes.size());
  for (const DType dtype : dtypes) {
    outputs.push_back(make_output(operation, dtype, extents.span()));
    targets.push_back(StateAccess::state(outputs.back()).view());
    pointers.push_back(&targets.back());
  }
  run_program(operation, program, operands, pointers);
  std::vector<Tensor> written;
  // A program stores a value at every index of every output.
  for (UninitializedTensor& output : outputs) written.push_back(std::move(output).assume_written());
  return written;
}

void Engine::run_named_into(const char* operation, const Program& program, std::span<const TensorRead> inputs,
                            std::span<const std::size_t> positions,
                            std::span<const TensorWrite> outputs) const {
  live(operation);
  const auto tensors = bind(operation, program, inputs);
  const auto dtypes = program.outputs();
  require_count(operation, "outputs", dtypes.size(), outputs.size());
  const CommonExtents extents(operation, tensors);
  require_program_support(operation, program);
  std::vector<const ViewState*> targets;
  for (const TensorWrite& output : outputs) {
    const ViewState& target = StateAccess::state(output);
    require_destination_dtype(operation, dtypes[targets.size()], target.dtype());
    require_extents(operation, extents.span(), target.layout());
    const std::size_t number = targets.size();
    for (std::size_t input = 0; input < tensors.size(); ++input) {
      require_same_index(operation, target, StateAccess::state(*tensors[input]),
                         output_and_input(number, positions.empty() ? input : positions[input]));
    }
    for (std::size_t other = 0; other < number; ++other) {
      require_disjoint(operation, target, *targets[other], two_outputs(number, other));
    }
    targets.push_back(&target);
  }
  OperandList operands(tensors.size() + targets.size());
  add_inputs(operands, tensors, extents.span());
  run_program(operation, program, operands, targets);
}

std::vector<Tensor> Engine::run(const Program& program, std::span<const TensorRead> inputs) const {
  return run_named("run", program, inputs);
}

void Engine::run_into(const Program& program, std::span<const TensorRead> inputs,
                      std::span<const TensorWrite> outputs) const {
  run_named_into("run_into", program, inputs, {}, outputs);
}

}  // namespace tenure::inline TENURE_BUILD
