// SPDX-License-Identifier: Apache-2.0
// Reductions over any axes.
#include <algorithm>
#include <array>
#include <string>

#include "execution/broadcast.hpp"
#include "execution/dtype_rule.hpp"
#include "execution/operand_list.hpp"
#include "execution/operation_name.hpp"
#include "tensor/disjoint.hpp"
#include "tenure/abi/struct_head.hpp"
#include "tenure/base/validation_error.hpp"
#include "tenure/execution/engine.hpp"
#include "tenure/tensor/uninitialized_tensor.hpp"

namespace tenure::inline TENURE_BUILD {

// A validated reduction and what becomes of each axis.
class Engine::ReduceCall {
 public:
  ReduceCall(const char* operation, Reduction reduction, const TensorRead& input,
             const ReduceOptions& options)
      : operation_(operation),
        row_(find_row(reduction, operation)),
        function_(static_cast<std::uint32_t>(reduction)),
        input_(StateAccess::state(input)),
        keep_axes_(options.keep_axes),
        result_(abi::result_dtype(row_, input.dtype().abi())) {
    require_dtype_class(operation, row_.operand_classes, input.dtype());
    mask_ = options.axes.mask(operation, input.layout().rank());
    for (std::int64_t axis = 0; axis < input.layout().rank(); ++axis) {
      if (!is_reduced(axis)) {
        result_extents_.push_back(input.layout().extent(axis));
      } else if (keep_axes_) {
        result_extents_.push_back(1);
      }
    }
  }

  const char* operation() const noexcept { return operation_; }
  DType result() const noexcept { return result_; }
  const Extents& result_extents() const noexcept { return result_extents_; }

  void require_destination(const ViewState& target) const {
    require_destination_dtype(operation_, result_, target.dtype());
    require_extents(operation_, span_of(result_extents_), target.layout());
    require_disjoint(operation_, target, input_, output_and_input(0, 0));
  }
  // What can be refused before there is an output.
  void require_possible(const Engine& engine) const {
    engine.require_support(operation_, TENURE_OP_REDUCE, function_, std::array{input_.dtype(), result_});
    require_defined();
  }
  void add_input(OperandList& operands) const { operands.add_input(input_, input_.layout().extents()); }
  void run(const Engine& engine, OperandList& operands, const ViewState& target) const {
    if (target.layout().is_empty()) return;
    auto attributes = abi::make_struct<tenure_reduce_attributes>();
    attributes.function = function_;
    attributes.axis_mask = mask_;
    add_output(operands, target);
    engine.execute(operation_, TENURE_OP_REDUCE, operands, &attributes);
  }

 private:
  // The output as the contract sees it: with every axis of the input, reduced ones of extent 1.
  void add_output(OperandList& operands, const ViewState& output) const {
    const std::int64_t rank = input_.layout().rank();
    Extents extents;
    Extents strides;
    std::int64_t own_axis = 0;
    for (std::int64_t axis = 0; axis < rank; ++axis) {
      const bool reduced = is_reduced(axis);
      extents.push_back(reduced ? 1 : input_.layout().extent(axis));
      strides.push_back(reduced ? 0 : output.layout().stride(own_axis));
      if (!reduced || keep_axes_) ++own_axis;
    }
    operands.add_output(output, span_of(extents), span_of(strides));
  }

  bool is_reduced(std::int64_t axis) const noexcept { return ((mask_ >> axis) & 1) != 0; }

  // Extrema of no elements do not exist.
  void require_defined() const {
    const bool has_result = std::ranges::find(result_extents_, 0) == result_extents_.end();
    if (row_.empty_is_defined || !has_result || !input_.layout().is_empty()) return;
    throw ValidationError(operation_,
                          InvalidArgument{"axes", "axes that hold an element were wanted, found none: " +
                                                      std::string(row_.name) + " of nothing is undefined"});
  }

  const char* operation_;
  const abi::ReductionRow& row_;
  std::uint32_t function_;
  const ViewState& input_;
  bool keep_axes_;
  DType result_;
  std::uint64_t mask_ = 0;
  Extents result_extents_;
};

Tensor Engine::run_reduction(const char* operation, Reduction reduction, const TensorRead& a,
                             const ReduceOptions& options) const {
  const ReduceCall call(operation, reduction, a, options);
  live(call.operation());
  call.require_possible(*this);
  OperandList operands(2);
  call.add_input(operands);
  operands.require_mappable(call.operation());
  auto output = make_output(call.operation(), call.result(), span_of(call.result_extents()));
  call.run(*this, operands, StateAccess::state(output).view());
  // A reduction writes every index of its output, also over no elements.
  return std::move(output).assume_written();
}

Tensor Engine::reduce(Reduction reduction, const TensorRead& a, const ReduceOptions& options) const {
  return run_reduction(chosen_name(reduction).allocating, reduction, a, options);
}

void Engine::reduce_into(Reduction reduction, const TensorRead& a, const TensorWrite& out,
                         const ReduceOptions& options) const {
  const ReduceCall call(chosen_name(reduction).into, reduction, a, options);
  live(call.operation());
  call.require_possible(*this);
  call.require_destination(StateAccess::state(out));
  OperandList operands(2);
  call.add_input(operands);
  call.run(*this, operands, StateAccess::state(out));
}

}  // namespace tenure::inline TENURE_BUILD
