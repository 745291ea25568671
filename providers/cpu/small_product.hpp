// SPDX-License-Identifier: Apache-2.0
// small_product: contractions whose matrices are so small that a call of the library would cost more than the
// product.
#pragma once

#include "contract_plan.hpp"
#include "executor.hpp"
#include "operand.hpp"
#include "tenure/provider_engine.h"

namespace tenure::cpu {

// Depends on the extents, and on whether each group of axes fuses into one.
bool is_small_product(const ContractPlan& plan) noexcept;

// The contraction that was planned. It is small, has terms, and its alpha is not 0.
void run_small_product(const Executor& executor, const ContractPlan& plan,
                       const tenure_contract_attributes& attributes, const Operand& left,
                       const Operand& right, const Operand& out);

}  // namespace tenure::cpu
