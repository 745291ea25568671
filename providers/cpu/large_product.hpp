// SPDX-License-Identifier: Apache-2.0
// large_product: contractions as products of matrices of any size, divided into tiles.
#pragma once

#include "contract_plan.hpp"
#include "executor.hpp"
#include "operand.hpp"
#include "tenure/provider_engine.h"

namespace tenure::cpu {

// The contraction that was planned, which has terms and whose alpha is not 0. Throws std::bad_alloc, after
// which the output may hold anything.
void run_large_product(const Executor& executor, const ContractPlan& plan,
                       const tenure_contract_attributes& attributes, const Operand& left,
                       const Operand& right, const Operand& out);

}  // namespace tenure::cpu
