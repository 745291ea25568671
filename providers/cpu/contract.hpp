// SPDX-License-Identifier: Apache-2.0
// contract: sums of products over pairs of axes, as matrix products of tiles.
#pragma once

#include <cstddef>

#include "executor.hpp"
#include "operand.hpp"
#include "tenure/provider_engine.h"

namespace tenure::cpu {

// Whether matrices of a dtype index can be multiplied.
bool has_product(const KernelSet& kernels, std::size_t dtype) noexcept;

// The tiles depend on the extents alone, so a serial and a parallel executor give the same bits. Throws
// UNIMPLEMENTED for dtypes without a kernel, INVALID_ARGUMENT for axes and extents that do not match.
void run_contract(const Executor& executor, const tenure_contract_attributes& attributes, const Operand& left,
                  const Operand& right, const Operand& out);

}  // namespace tenure::cpu
