// SPDX-License-Identifier: Apache-2.0
// Single elementwise functions.
#include "execution/dtype_rule.hpp"
#include "execution/elementwise_operands.hpp"
#include "execution/function_call.hpp"
#include "execution/operation_name.hpp"
#include "tensor/disjoint.hpp"
#include "tenure/execution/engine.hpp"
#include "tenure/tensor/uninitialized_tensor.hpp"

namespace tenure::inline TENURE_BUILD {

Tensor Engine::run_function(const char* operation, Function function,
                            std::span<const ElementwiseInput> inputs) const {
  const FunctionCall call(operation, function, inputs);
  live(operation);
  const Extents extents = common_extents(operation, call.tensors());
  require_support(operation, TENURE_OP_PROGRAM, call.function(), call.dtypes());
  OperandList operands(call.tensors().size() + 1);
  add_inputs(operands, call.tensors(), extents);
  operands.require_mappable(operation);
  auto output = make_output(operation, call.result(), span_of(extents));
  const ViewState target = StateAccess::state(output).view();
  if (!target.layout().is_empty()) {
    operands.add_output(target);
    execute(operation, TENURE_OP_PROGRAM, operands, &call.attributes());
  }
  // A program stores its result at every index of the output.
  return std::move(output).assume_written();
}

void Engine::run_function_into(const char* operation, Function function,
                               std::span<const ElementwiseInput> inputs, const TensorWrite& out) const {
  const FunctionCall call(operation, function, inputs);
  live(operation);
  const Extents extents = common_extents(operation, call.tensors());
  const ViewState& target = StateAccess::state(out);
  require_support(operation, TENURE_OP_PROGRAM, call.function(), call.dtypes());
  require_destination_dtype(operation, call.result(), target.dtype());
  require_extents(operation, span_of(extents), target.layout());
  for (std::size_t i = 0; i < call.tensors().size(); ++i) {
    require_same_index(operation, target, StateAccess::state(*call.tensors()[i]),
                       output_and_input(0, call.positions()[i]));
  }
  if (target.layout().is_empty()) return;
  OperandList operands(call.tensors().size() + 1);
  add_inputs(operands, call.tensors(), extents);
  operands.add_output(target);
  execute(operation, TENURE_OP_PROGRAM, operands, &call.attributes());
}

Tensor Engine::apply(Function function, std::span<const ElementwiseInput> inputs) const {
  return run_function(chosen_name(function).allocating, function, inputs);
}

void Engine::apply_into(Function function, std::span<const ElementwiseInput> inputs,
                        const TensorWrite& out) const {
  run_function_into(chosen_name(function).into, function, inputs, out);
}

}  // namespace tenure::inline TENURE_BUILD
