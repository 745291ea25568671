// SPDX-License-Identifier: Apache-2.0
// library_product: contractions of middle size, whose matrices the library multiplies where they lie, each in
// one call.
#pragma once

#include <cstddef>

#include "contract_plan.hpp"
#include "executor.hpp"
#include "operand.hpp"
#include "tenure/provider_engine.h"

namespace tenure::cpu {

// Depends on the extents, and on how the axes lie in memory.
bool is_library_product(const ContractPlan& plan, std::size_t dtype) noexcept;

// The contraction that was planned. The library takes it, it has terms, and its alpha is not 0.
void run_library_product(const Executor& executor, const ContractPlan& plan,
                         const tenure_contract_attributes& attributes, const Operand& left,
                         const Operand& right, const Operand& out);

}  // namespace tenure::cpu
