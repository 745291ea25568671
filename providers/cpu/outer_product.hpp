// SPDX-License-Identifier: Apache-2.0
// outer_product: contractions whose sums have one term each, which multiply element by element.
#pragma once

#include "contract_plan.hpp"
#include "executor.hpp"
#include "operand.hpp"
#include "tenure/provider_engine.h"

namespace tenure::cpu {

// Whether the plan has sums of one term, and so many that an elementwise program is worth its planning. A
// policy that wants items on threads of their own, or divided, is left to the products of matrices.
bool is_outer_product(const Executor& executor, const ContractPlan& plan) noexcept;

// The contraction that was planned, as a program over operands that are broadcast. It is an outer product,
// and its alpha is not 0.
void run_outer_product(const Executor& executor, const ContractPlan& plan,
                       const tenure_contract_attributes& attributes, const Operand& left,
                       const Operand& right, const Operand& out);

}  // namespace tenure::cpu
