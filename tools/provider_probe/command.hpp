// SPDX-License-Identifier: Apache-2.0
// command: what the command line asks for, and the reports that answer it.
#pragma once

#include <string>
#include <vector>

#include "report.hpp"
#include "suite_run.hpp"

namespace tenure::probe {

struct CheckCommand {
  std::vector<std::string> files;
  SuiteOptions suite;
  ExitRules exit;
};

struct ExplainCommand {
  std::vector<std::string> names;  // empty: everything there is
};

// Tests every file by the rules.
Report run_check(const CheckCommand& command);
// The text behind rules, codes of the contract and exit codes. A name that nothing has gives a report with
// ExitCode::usage that lists the names that are like it.
Report run_explain(const ExplainCommand& command);

}  // namespace tenure::probe
