// SPDX-License-Identifier: Apache-2.0
// network_case: the contraction of a network, warm, beside libtorch along the same path.
#pragma once

#include <ostream>
#include <vector>

#include "../case.hpp"
#include "../setup.hpp"
#include "instance.hpp"

namespace tenure::bench {

// For each: the time of a warm run, and how many blocks a second run takes from the system.
void add_instance_cases(Setup& setup, const std::vector<NetworkInstance>& instances, CaseList& cases);

// Runs an instance twice on an engine of its own and says for both runs: time, checksum, what the ledger
// counts, what the pool counts; then the same two runs of libtorch where it was built.
void print_two_runs(Setup& setup, const NetworkInstance& instance, std::ostream& out);

}  // namespace tenure::bench
