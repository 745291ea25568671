// SPDX-License-Identifier: Apache-2.0
// linalg: decompositions of matrices and what they solve, over a batch of matrices.
#pragma once

#include <cstdint>
#include <span>

#include "executor.hpp"
#include "operand.hpp"
#include "tenure/provider_engine.h"

namespace tenure::cpu {

// Whether a TENURE_LINALG_* is computed for operands of these dtypes, inputs then outputs.
bool supports_linalg(std::uint32_t function, std::span<const tenure_dtype> dtypes) noexcept;

// A matrix is computed by one thread, several of a batch by several. Throws UNIMPLEMENTED for an unknown
// function or flag, for dtypes that do not go together and for matrices that LAPACK cannot count,
// INVALID_ARGUMENT for extents that do not match, and nothing has been written then; FAILED_PRECONDITION for
// a matrix that does not have what its function wants.
void run_linalg(const Executor& executor, const tenure_linalg_attributes& attributes,
                std::span<const Operand> operands);

}  // namespace tenure::cpu
