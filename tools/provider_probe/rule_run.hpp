// SPDX-License-Identifier: Apache-2.0
// rule_run: one rule, tested on one file: in a child of its own if it runs code of the provider.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "report.hpp"
#include "rule.hpp"

namespace tenure::probe {

// The verb with which the probe starts itself as the child of a rule:
// __rule PARENT TOKEN FILE RULE
inline constexpr const char* rule_verb = "__rule";

// The verdict of a child, and the JSON object that it sent with it, if it sent one.
struct TrialRun {
  RuleResult result;
  nlohmann::ordered_json content = nlohmann::ordered_json::object();
};

// Tests a rule about the file.
RuleResult judge_file(const Rule& rule, const FileReport& report);

// Tests any other rule. Blocks until the child has ended. `file` is absolute; `timeout_scale` multiplies the
// rule's deadline. Throws ProbeFault when the child could not do its work.
TrialRun run_in_child(const Rule& rule, const std::string& file, double timeout_scale);

}  // namespace tenure::probe
