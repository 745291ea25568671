// SPDX-License-Identifier: Apache-2.0
// one_loop: elementwise operations that are one loop over memory.
#pragma once

#include "executor.hpp"
#include "tenure/sdk/engine_table.hpp"

namespace tenure::cpu {

// Runs a program of one function, or a cast, whose operands lie in memory as its output does, which is
// compact, or have one element that stands for all; it needs no plan. False for everything else, also for
// what is not sound or whose values must be looked at first: then nothing was done.
bool run_one_loop(const Executor& executor, const sdk::Operation& operation);

}  // namespace tenure::cpu
