// SPDX-License-Identifier: Apache-2.0
// triangle: one side of the diagonals of matrices, the other one 0.
#pragma once

#include "executor.hpp"
#include "operand.hpp"
#include "tenure/provider_engine.h"

namespace tenure::cpu {

// Throws UNIMPLEMENTED for different dtypes or an unknown part, INVALID_ARGUMENT for a rank below 2 or
// different extents; nothing has been written then.
void run_triangle(const Executor& executor, const tenure_triangle_attributes& attributes, const Operand& in,
                  const Operand& out);

}  // namespace tenure::cpu
