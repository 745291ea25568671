// SPDX-License-Identifier: Apache-2.0
// Single elementwise functions.
#include "execution/dtype_rule.hpp"
#include "execution/elementwise_operands.hpp"
#include "execution/function_call.hpp"
#include "tenure/execution/engine.hpp"
#include "tenure/tensor/uninitialized_tensor.hpp"

namespace tenure::inline TENURE_BUILD {

Tensor Engine::apply(Function function, std::span<const ElementwiseInput> inputs) const {
  const FunctionCall call(function, inputs);
  live(call.operation());
  const Extents extents = common_extents(call.operation(), call.tensors());
  require_support(call.operation(), TENURE_OP_PROGRAM, call.function(), call.dtypes());
  OperandList operands(call.tensors().size() + 1);
  add_inputs(operands, call.tensors(), extents);
  operands.require_mappable(call.operation());
  auto output = make_output(call.operation(), call.result(), span_of(extents));
  const ViewState target = StateAccess::state(output).view();
  if (!target.layout().is_empty()) {
    operands.add_output(target);
    execute(call.operation(), TENURE_OP_PROGRAM, operands, &call.attributes());
  }
  // A program stores its result at every index of the output.
  return std::move(output).assume_written();
}

void Engine::apply_into(Function function, std::span<const ElementwiseInput> inputs,
                        const TensorWrite& out) const {
  const FunctionCall call(function, inputs);
  live(call.operation());
  const Extents extents = common_extents(call.operation(), call.tensors());
  const ViewState& target = StateAccess::state(out);
  require_support(call.operation(), TENURE_OP_PROGRAM, call.function(), call.dtypes());
  require_equal_dtypes(call.operation(), call.result(), target.dtype());
  require_extents(call.operation(), span_of(extents), target.layout());
  require_same_index_or_disjoint(call.operation(), target, call.tensors());
  if (target.layout().is_empty()) return;
  OperandList operands(call.tensors().size() + 1);
  add_inputs(operands, call.tensors(), extents);
  operands.add_output(target);
  execute(call.operation(), TENURE_OP_PROGRAM, operands, &call.attributes());
}

}  // namespace tenure::inline TENURE_BUILD
