// SPDX-License-Identifier: Apache-2.0
// Single elementwise functions.
#include <span>

#include "execution/alike_operands.hpp"
#include "execution/dtype_rule.hpp"
#include "execution/elementwise_operands.hpp"
#include "execution/function_call.hpp"
#include "execution/operation_name.hpp"
#include "execution/support_memo.hpp"
#include "tensor/disjoint.hpp"
#include "tenure/execution/engine.hpp"
#include "tenure/tensor/uninitialized_tensor.hpp"

namespace tenure::inline TENURE_BUILD {

// One function on one engine.
class Engine::FunctionRun {
 public:
  // Throws EmptyOwner.
  FunctionRun(const FunctionCall& call, const Engine& engine)
      : call_(call), engine_(engine.live(call.operation())) {}

  Tensor make() const {
    const CommonExtents extents(call_.operation(), call_.tensors());
    require_support();
    require_mappable(extents);
    auto output = engine_.make_output(call_.operation(), call_.result(), extents.span());
    const ViewState target = StateAccess::state(output).view();
    AlikeOperands alike;
    if (alike.describe(call_.tensors(), target)) {
      submit(alike);
    } else if (!target.layout().is_empty()) {
      execute(extents, target);
    }
    // A program stores its result at every index of the output.
    return std::move(output).assume_written();
  }

  void write(const ViewState& target) const {
    AlikeOperands alike;
    if (!alike.describe(call_.tensors(), target)) return write_unlike(target);
    require_support();
    require_destination_dtype(call_.operation(), call_.result(), target.dtype());
    submit(alike);
  }

 private:
  // The general way, for any operands.
  [[gnu::noinline]] void write_unlike(const ViewState& target) const {
    const char* const operation = call_.operation();
    const CommonExtents extents(operation, call_.tensors());
    require_support();
    require_destination_dtype(operation, call_.result(), target.dtype());
    require_extents(operation, extents.span(), target.layout());
    for (std::size_t i = 0; i < call_.tensors().size(); ++i) {
      require_same_index(operation, target, StateAccess::state(*call_.tensors()[i]),
                         output_and_input(0, call_.position(i)));
    }
    if (!target.layout().is_empty()) execute(extents, target);
  }

  // Throws ExecutionError (unsupported).
  void require_support() const {
    if (engine_.memo_->knows_function(call_.function(), call_.governing())) return;
    engine_.require_support(call_.operation(), TENURE_OP_PROGRAM, call_.function(), call_.dtypes());
    engine_.memo_->learn_function(call_.function(), call_.governing());
  }
  // Of the inputs; throws AccessError (not_mappable).
  void require_mappable(const CommonExtents& extents) const {
    bool has_record = false;
    for (const TensorRead* tensor : call_.tensors()) {
      has_record |= StateAccess::state(*tensor).record() != nullptr;
    }
    if (!has_record) return;
    OperandList operands(call_.tensors().size());
    add_inputs(operands, call_.tensors(), extents.span());
    operands.require_mappable(call_.operation());
  }
  void submit(const AlikeOperands& operands) const {
    engine_.submit(call_.operation(), TENURE_OP_PROGRAM, operands.operands(), &call_.attributes());
  }
  [[gnu::noinline]] void execute(const CommonExtents& extents, const ViewState& target) const {
    OperandList operands(call_.tensors().size() + 1);
    add_inputs(operands, call_.tensors(), extents.span());
    operands.add_output(target);
    engine_.execute(call_.operation(), TENURE_OP_PROGRAM, operands, &call_.attributes());
  }

  const FunctionCall& call_;
  const Engine& engine_;
};

Tensor Engine::run_function(const char* operation, Function function,
                            std::span<const ElementwiseInput> inputs) const {
  const FunctionCall call(operation, function, inputs);
  return FunctionRun(call, *this).make();
}

void Engine::run_function_into(const char* operation, Function function,
                               std::span<const ElementwiseInput> inputs, const TensorWrite& out) const {
  const FunctionCall call(operation, function, inputs);
  FunctionRun(call, *this).write(StateAccess::state(out));
}

Tensor Engine::apply(Function function, std::span<const ElementwiseInput> inputs) const {
  return run_function(chosen_name(function).allocating, function, inputs);
}

void Engine::apply_into(Function function, std::span<const ElementwiseInput> inputs,
                        const TensorWrite& out) const {
  run_function_into(chosen_name(function).into, function, inputs, out);
}

}  // namespace tenure::inline TENURE_BUILD
