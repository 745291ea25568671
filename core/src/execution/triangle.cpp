// SPDX-License-Identifier: Apache-2.0
// The lower and the upper triangle of matrices.
#include <array>
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

// A validated triangle.
class Engine::TriangleCall {
 public:
  TriangleCall(const char* operation, std::uint32_t part, const TensorRead& a, std::int64_t diagonal)
      : operation_(operation), part_(part), input_(StateAccess::state(a)), diagonal_(diagonal) {
    if (a.layout().rank() < 2) {
      throw ValidationError(operation,
                            InvalidArgument{"a", "matrices in the first two axes were wanted, found rank " +
                                                     std::to_string(a.layout().rank())});
    }
  }

  Tensor run(const Engine& engine) const {
    require_possible(engine);
    OperandList operands(2);
    operands.add_input(input_, input_.layout().extents());
    operands.require_mappable(operation_);
    auto output = engine.make_output(operation_, input_.dtype(), input_.layout().extents());
    execute(engine, operands, StateAccess::state(output).view());
    // Every index is copied or 0.
    return std::move(output).assume_written();
  }
  void run_into(const Engine& engine, const ViewState& target) const {
    require_possible(engine);
    require_destination_dtype(operation_, input_.dtype(), target.dtype());
    require_extents(operation_, input_.layout().extents(), target.layout());
    require_disjoint(operation_, target, input_, output_and_input(0, 0));
    OperandList operands(2);
    operands.add_input(input_, input_.layout().extents());
    execute(engine, operands, target);
  }

 private:
  void require_possible(const Engine& engine) const {
    engine.live(operation_);
    engine.require_support(operation_, TENURE_OP_TRIANGLE, 0, std::array{input_.dtype(), input_.dtype()});
  }
  void execute(const Engine& engine, OperandList& operands, const ViewState& target) const {
    if (target.layout().is_empty()) return;
    auto attributes = abi::make_struct<tenure_triangle_attributes>();
    attributes.part = part_;
    attributes.diagonal = diagonal_;
    operands.add_output(target);
    engine.execute(operation_, TENURE_OP_TRIANGLE, operands, &attributes);
  }

  const char* operation_;
  std::uint32_t part_;
  const ViewState& input_;
  std::int64_t diagonal_;
};

Tensor Engine::tril_tensor(const TensorRead& a, std::int64_t diagonal) const {
  return TriangleCall("tril", TENURE_TRIANGLE_LOWER, a, diagonal).run(*this);
}

void Engine::tril_into(const TensorRead& a, const TensorWrite& out, std::int64_t diagonal) const {
  TriangleCall("tril_into", TENURE_TRIANGLE_LOWER, a, diagonal).run_into(*this, StateAccess::state(out));
}

Tensor Engine::triu_tensor(const TensorRead& a, std::int64_t diagonal) const {
  return TriangleCall("triu", TENURE_TRIANGLE_UPPER, a, diagonal).run(*this);
}

void Engine::triu_into(const TensorRead& a, const TensorWrite& out, std::int64_t diagonal) const {
  TriangleCall("triu_into", TENURE_TRIANGLE_UPPER, a, diagonal).run_into(*this, StateAccess::state(out));
}

}  // namespace tenure::inline TENURE_BUILD
