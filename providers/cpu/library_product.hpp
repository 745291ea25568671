// SPDX-License-Identifier: Apache-2.0
// library_product: contractions of middle size, whose matrices the library multiplies where they lie, each in
// one call.
#pragma once

#include "contract_plan.hpp"
#include "executor.hpp"
#include "operand.hpp"
#include "tenure/provider_engine.h"

namespace tenure::cpu {

// Runs the contraction that was planned, which has terms and whose alpha is not 0, if the library is to
// multiply it: that depends on the dtype, the extents and how the axes lie in memory. Otherwise does nothing
// and returns false.
bool run_library_product(const Executor& executor, const ContractPlan& plan,
                         const tenure_contract_attributes& attributes, const Operand& left,
                         const Operand& right, const Operand& out);

}  // namespace tenure::cpu
