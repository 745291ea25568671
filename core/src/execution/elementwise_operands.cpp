// SPDX-License-Identifier: Apache-2.0
#include "execution/elementwise_operands.hpp"

#include "tensor/disjoint.hpp"

namespace tenure::inline TENURE_BUILD {

Extents common_extents(const char* operation, std::span<const TensorRead* const> inputs) {
  const auto first = inputs.front()->layout().extents();
  Extents extents(first.begin(), first.end());
  for (const TensorRead* input : inputs.subspan(1)) broadcast_with(operation, extents, input->layout());
  return extents;
}

void add_inputs(OperandList& operands, std::span<const TensorRead* const> inputs, const Extents& extents) {
  for (const TensorRead* input : inputs) operands.add_input(StateAccess::state(*input), span_of(extents));
}

void require_same_index_or_disjoint(const char* operation, const ViewState& out,
                                    std::span<const TensorRead* const> inputs) {
  for (const TensorRead* input : inputs) {
    const ViewState& state = StateAccess::state(*input);
    if (!is_same_reading(out, state)) require_disjoint(operation, out, state);
  }
}

}  // namespace tenure::inline TENURE_BUILD
