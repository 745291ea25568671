// SPDX-License-Identifier: Apache-2.0
// report: results for a terminal and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "measure.hpp"

namespace tenure::bench {

// One line: the name, ours with its unit, and how many times better ours is than each peer.
void print_row(const CaseResult& result, std::ostream& out);
// What the machine is, before the rows.
void print_machine(const nlohmann::ordered_json& facts, std::ostream& out);

nlohmann::ordered_json to_json(const CaseResult& result);

}  // namespace tenure::bench
