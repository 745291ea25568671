// SPDX-License-Identifier: Apache-2.0
// inspection_tasks: what `inspect` has done in a child, run as the rules are.
#pragma once

#include "rule.hpp"

namespace tenure::probe {

// Asks the provider about itself; its result has RunFacts under "run".
const Rule& run_facts_task() noexcept;
// Loads the file with the core; its result has a LoadTrail under "load".
const Rule& load_trail_task() noexcept;

}  // namespace tenure::probe
