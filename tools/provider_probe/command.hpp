// SPDX-License-Identifier: Apache-2.0
// command: what the command line asks for, and the reports that answer it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report.hpp"
#include "suite_run.hpp"
#include "tenure/loader/load_options.hpp"

namespace tenure::probe {

// What happens when others than root and this user could change a file: the loader's default, or a choice.
using PolicyChoice = std::optional<PathPolicy>;

struct InspectCommand {
  std::vector<std::string> files;
  PolicyChoice policy;
  bool run = false;  // ask the provider itself, in a child
  bool why = false;  // let the core load the file, in a child
  bool warnings_count = false;
  double timeout_scale = 1;
};

struct CheckCommand {
  std::vector<std::string> files;
  PolicyChoice policy;
  SuiteOptions suite;
  ExitRules exit;
};

struct ExplainCommand {
  std::vector<std::string> names;  // empty: everything there is
};

// Says what the files are; runs none of their code unless that is asked for.
Report run_inspect(const InspectCommand& command);
// Tests every file by the rules.
Report run_check(const CheckCommand& command);
// The text behind rules, codes of the contract and exit codes. A name that nothing has gives a report with
// ExitCode::usage that lists the names that are like it.
Report run_explain(const ExplainCommand& command);

}  // namespace tenure::probe
