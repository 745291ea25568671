// SPDX-License-Identifier: Apache-2.0
// program: the elementwise family, from the contract's attributes to kernels.
#pragma once

#include <cstdint>
#include <span>

#include "executor.hpp"
#include "operand.hpp"
#include "tenure/provider_engine.h"

namespace tenure::cpu {

// Whether one function is computed for operands of these dtypes, inputs and then the output.
bool supports_function(const KernelSet& kernels, std::uint32_t function,
                       std::span<const tenure_dtype> dtypes) noexcept;

// `operands` are the inputs, then the outputs. Throws UNIMPLEMENTED for dtypes without a kernel and
// INVALID_ARGUMENT for a malformed program, a zero integer divisor or a negative integer exponent; nothing
// has been written then.
void run_program(const Executor& executor, const tenure_program_attributes& program,
                 std::span<const Operand> operands);

// Converts each element of `in` to the dtype of `out`.
void run_cast(const Executor& executor, const Operand& in, const Operand& out);

// Multiplies each element of `out` by a scalar of its dtype, which must be floating or complex.
void scale(const Executor& executor, const Operand& out, const tenure_scalar& factor);

}  // namespace tenure::cpu
