// SPDX-License-Identifier: Apache-2.0
// elementwise_operands: what the operands of elementwise functions and programs have in common.
#pragma once

#include <span>

#include "execution/broadcast.hpp"
#include "execution/operand_list.hpp"
#include "tenure/execution/tensor_read.hpp"

namespace tenure::inline TENURE_BUILD {

// Throws RankMismatch, ShapeMismatch. There is at least one input.
Extents common_extents(const char* operation, std::span<const TensorRead* const> inputs);
void add_inputs(OperandList& operands, std::span<const TensorRead* const> inputs, const Extents& extents);

}  // namespace tenure::inline TENURE_BUILD
