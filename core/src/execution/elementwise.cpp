// SPDX-License-Identifier: Apache-2.0
// Elementwise functions and programs: a single function is a program of one node.
#include <array>
#include <boost/container/static_vector.hpp>
#include <string>

#include "execution/broadcast.hpp"
#include "execution/dtype_rule.hpp"
#include "execution/operand_list.hpp"
#include "tensor/disjoint.hpp"
#include "tenure/abi/struct_head.hpp"
#include "tenure/base/validation_error.hpp"
#include "tenure/execution/engine.hpp"
#include "tenure/tensor/uninitialized_tensor.hpp"

namespace tenure::inline TENURE_BUILD {
namespace {

constexpr std::size_t arity_max = 3;

// One function applied to tensors and scalars, as the program that the contract wants.
class FunctionCall {
 public:
  FunctionCall(Function function, std::initializer_list<ElementwiseInput> inputs) : row_(row_of(function)) {
    if (inputs.size() != row_.arity) {
      throw ValidationError(operation(),
                            InvalidArgument{"inputs", std::to_string(row_.arity) + " were wanted, found " +
                                                          std::to_string(inputs.size())});
    }
    for (const ElementwiseInput& input : inputs) {
      if (const auto* tensor = std::get_if<TensorRead>(&input)) tensors_.push_back(tensor);
    }
    const DType common = common_dtype(inputs);
    std::uint32_t argument = 0;
    std::uint32_t next_tensor = 0;
    for (const ElementwiseInput& input : inputs) {
      const auto* scalar = std::get_if<Scalar>(&input);
      const bool is_condition = argument == 0 && row_.first_is_condition;
      dtypes_.push_back(scalar ? (is_condition ? boolean : common) : std::get<TensorRead>(input).dtype());
      node_.arguments[argument++] =
          scalar ? constant(scalar->to(operation(), dtypes_.back())) : next_tensor++;
    }
    result_ = result_dtype(operation(), row_, node_dtypes());
    finish(function);
  }

  const char* operation() const noexcept { return row_.name.data(); }
  std::span<const TensorRead* const> tensors() const noexcept { return {tensors_.data(), tensors_.size()}; }
  // Of the node's arguments, then of its result.
  std::span<const DType> node_dtypes() const noexcept { return {dtypes_.data(), dtypes_.size()}; }
  DType result() const noexcept { return result_; }
  const tenure_program_attributes& attributes() const noexcept { return attributes_; }

 private:
  // The element type of the tensors apart from a condition, which scalars take.
  DType common_dtype(std::initializer_list<ElementwiseInput> inputs) const {
    const ElementwiseInput* first = inputs.begin() + (row_.first_is_condition ? 1 : 0);
    for (; first != inputs.end(); ++first) {
      if (const auto* tensor = std::get_if<TensorRead>(first)) return tensor->dtype();
    }
    throw ValidationError(operation(), InvalidArgument{"inputs", "a tensor was wanted, found only scalars"});
  }
  // Constants are numbered after the tensors.
  std::uint32_t constant(const tenure_scalar& value) {
    constants_[constant_count_] = value;
    return static_cast<std::uint32_t>(tensors_.size()) + constant_count_++;
  }
  void finish(Function function) noexcept {
    dtypes_.push_back(result_);
    node_.function = static_cast<std::uint32_t>(function);
    node_.dtype = result_.abi();
    attributes_.input_count = static_cast<std::uint32_t>(tensors_.size());
    attributes_.constant_count = constant_count_;
    attributes_.node_count = 1;
    attributes_.output_count = 1;
    attributes_.constants = constants_.data();
    attributes_.nodes = &node_;
    output_ = attributes_.input_count + attributes_.constant_count;
    attributes_.outputs = &output_;
  }

  const abi::FunctionRow& row_;
  boost::container::static_vector<const TensorRead*, arity_max> tensors_;
  boost::container::static_vector<DType, arity_max + 1> dtypes_;
  std::array<tenure_scalar, arity_max> constants_;
  std::uint32_t constant_count_ = 0;
  tenure_program_node node_{};
  std::uint32_t output_ = 0;
  DType result_ = boolean;
  tenure_program_attributes attributes_ = abi::make_struct<tenure_program_attributes>();
};

Extents common_extents(const char* operation, std::span<const TensorRead* const> inputs) {
  const auto first = inputs.front()->layout().extents();
  Extents extents(first.begin(), first.end());
  for (const TensorRead* input : inputs.subspan(1)) broadcast_with(operation, extents, input->layout());
  return extents;
}

// A destination may be an input index by index, and otherwise shares nothing with any.
void require_same_index_or_disjoint(const char* operation, const ViewState& out,
                                    std::span<const TensorRead* const> inputs) {
  for (const TensorRead* input : inputs) {
    const ViewState& state = StateAccess::state(*input);
    if (!is_same_reading(out, state)) require_disjoint(operation, out, state);
  }
}

}  // namespace

void Engine::run_program(const char* operation, const tenure_program_attributes& attributes,
                         std::span<const TensorRead* const> inputs, std::span<const std::int64_t> extents,
                         std::span<const ViewState* const> outputs) const {
  if (outputs.front()->layout().is_empty()) return;
  OperandList operands(inputs.size() + outputs.size());
  for (const TensorRead* input : inputs) operands.add_input(StateAccess::state(*input), extents);
  for (const ViewState* output : outputs) operands.add_output(*output);
  execute(operation, TENURE_OP_PROGRAM, operands, &attributes);
}

Tensor Engine::apply(Function function, std::initializer_list<ElementwiseInput> inputs) const {
  const FunctionCall call(function, inputs);
  live(call.operation());
  const Extents extents = common_extents(call.operation(), call.tensors());
  require_support(call.operation(), TENURE_OP_PROGRAM, static_cast<std::uint32_t>(function),
                  call.node_dtypes());
  auto output = UninitializedTensor::in(pool_, call.result(), span_of(extents));
  const ViewState target = StateAccess::state(output).view();
  const std::array outputs{&target};
  run_program(call.operation(), call.attributes(), call.tensors(), span_of(extents), outputs);
  // The program stores its result at every index of the output.
  return std::move(output).assume_written();
}

void Engine::apply_into(Function function, std::initializer_list<ElementwiseInput> inputs,
                        const TensorWrite& out) const {
  const FunctionCall call(function, inputs);
  live(call.operation());
  const Extents extents = common_extents(call.operation(), call.tensors());
  require_support(call.operation(), TENURE_OP_PROGRAM, static_cast<std::uint32_t>(function),
                  call.node_dtypes());
  require_equal_dtypes(call.operation(), call.result(), out.dtype());
  require_extents(call.operation(), span_of(extents), out.layout());
  const ViewState& target = StateAccess::state(out);
  require_same_index_or_disjoint(call.operation(), target, call.tensors());
  const std::array outputs{&target};
  run_program(call.operation(), call.attributes(), call.tensors(), span_of(extents), outputs);
}

namespace {

constexpr const char* run_operation = "Engine::run";

// What a program and its inputs come to.
struct ProgramCall {
  std::vector<const TensorRead*> tensors;
  Extents extents;
};

ProgramCall bind(const Program& program, std::initializer_list<TensorRead> inputs) {
  ProgramCall call;
  if (inputs.size() != program.inputs().size() || inputs.size() == 0) {
    throw ValidationError(
        run_operation, InvalidArgument{"inputs", "as many as the program has, at least one, were wanted: " +
                                                     std::to_string(program.inputs().size()) + "; found " +
                                                     std::to_string(inputs.size())});
  }
  if (program.outputs().empty()) {
    throw ValidationError(run_operation,
                          InvalidArgument{"program", "it has no output; call Program::output"});
  }
  auto wanted = program.inputs().begin();
  for (const TensorRead& input : inputs) {
    require_equal_dtypes(run_operation, *wanted++, input.dtype());
    call.tensors.push_back(&input);
  }
  call.extents = common_extents(run_operation, call.tensors);
  return call;
}

std::vector<const ViewState*> pointers_to(std::span<const ViewState> states) {
  std::vector<const ViewState*> pointers;
  for (const ViewState& state : states) pointers.push_back(&state);
  return pointers;
}

}  // namespace

void Engine::require_program_support(const Program& program) const {
  for (const Program::Node& node : program.nodes_) {
    boost::container::static_vector<DType, arity_max + 1> dtypes;
    for (const Program::Value& argument : node.arguments) dtypes.push_back(argument.dtype());
    dtypes.push_back(node.dtype);
    require_support(run_operation, TENURE_OP_PROGRAM, static_cast<std::uint32_t>(node.function),
                    {dtypes.data(), dtypes.size()});
  }
}

void Engine::run_bound(const Program& program, std::span<const TensorRead* const> inputs,
                       std::span<const std::int64_t> extents,
                       std::span<const ViewState* const> outputs) const {
  const Program::Numbered numbered = program.numbered();
  auto attributes = abi::make_struct<tenure_program_attributes>();
  attributes.input_count = static_cast<std::uint32_t>(inputs.size());
  attributes.constant_count = static_cast<std::uint32_t>(program.constants_.size());
  attributes.node_count = static_cast<std::uint32_t>(numbered.nodes.size());
  attributes.output_count = static_cast<std::uint32_t>(numbered.outputs.size());
  attributes.constants = program.constants_.data();
  attributes.nodes = numbered.nodes.data();
  attributes.outputs = numbered.outputs.data();
  run_program(run_operation, attributes, inputs, extents, outputs);
}

std::vector<Tensor> Engine::run(const Program& program, std::initializer_list<TensorRead> inputs) const {
  live(run_operation);
  const ProgramCall call = bind(program, inputs);
  require_program_support(program);
  std::vector<UninitializedTensor> outputs;
  std::vector<ViewState> targets;
  for (const DType dtype : program.outputs()) {
    outputs.push_back(UninitializedTensor::in(pool_, dtype, span_of(call.extents)));
    targets.push_back(StateAccess::state(outputs.back()).view());
  }
  run_bound(program, call.tensors, span_of(call.extents), pointers_to(targets));
  std::vector<Tensor> written;
  // The program stores a value at every index of every output.
  for (UninitializedTensor& output : outputs) written.push_back(std::move(output).assume_written());
  return written;
}

void Engine::run_into(const Program& program, std::initializer_list<TensorRead> inputs,
                      std::span<const TensorWrite> outputs) const {
  live(run_operation);
  const ProgramCall call = bind(program, inputs);
  require_program_support(program);
  if (outputs.size() != program.outputs().size()) {
    throw ValidationError(run_operation, InvalidArgument{"outputs", std::to_string(program.outputs().size()) +
                                                                        " were wanted, found " +
                                                                        std::to_string(outputs.size())});
  }
  std::vector<const ViewState*> targets;
  for (const TensorWrite& output : outputs) {
    require_equal_dtypes(run_operation, program.outputs()[targets.size()], output.dtype());
    require_extents(run_operation, span_of(call.extents), output.layout());
    const ViewState& target = StateAccess::state(output);
    require_same_index_or_disjoint(run_operation, target, call.tensors);
    for (const ViewState* other : targets) require_disjoint(run_operation, target, *other);
    targets.push_back(&target);
  }
  run_bound(program, call.tensors, span_of(call.extents), targets);
}

}  // namespace tenure::inline TENURE_BUILD
