// SPDX-License-Identifier: Apache-2.0
// suite_run: many rules on one file, each after its prerequisites.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "report.hpp"
#include "rule.hpp"

namespace tenure::probe {

struct SuiteOptions {
  std::vector<std::string> only{};  // glob patterns; empty: all rules
  std::vector<std::string> skip{};  // glob patterns; wins over `only`
  unsigned jobs = 1;                // children at one time
  double timeout_scale = 1;
};

// The rules that the patterns choose, with their prerequisites, in the order of all_rules(). Throws
// UsageError when a pattern matches no rule, and when no rule is left.
std::vector<const Rule*> select_rules(const SuiteOptions& options);

// Tests one rule.
using RuleRunner = std::function<RuleResult(const Rule&)>;

// One result for each rule, in their order. A rule whose prerequisite among them does not hold is skipped
// without being run. A rule that found in its child that another does not hold, although that one passed,
// has failed. Throws what `run` throws, and ProbeFault unless every rule has exactly one result.
std::vector<RuleResult> run_suite(const std::vector<const Rule*>& rules, unsigned jobs,
                                  const RuleRunner& run);

// What a file's results say together. `unavailable_counts` is false when a provider that cannot work on
// this machine is as good as one that was tested.
struct ExitRules {
  bool unavailable_counts = true;
  bool warnings_count = false;
};
ExitCode exit_code_of(const std::vector<RuleResult>& results, const ExitRules& rules);

}  // namespace tenure::probe
