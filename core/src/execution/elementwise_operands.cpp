// SPDX-License-Identifier: Apache-2.0
#include "execution/elementwise_operands.hpp"

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

}  // namespace tenure::inline TENURE_BUILD
