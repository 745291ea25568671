// SPDX-License-Identifier: Apache-2.0
// finding: what the loader says about a file under a name that is no rule for authors, since it depends on
// where the file lies and what the process has loaded.
#pragma once

#include <span>
#include <string_view>

#include "exit_code.hpp"
#include "report.hpp"
#include "tenure/loader/problem.hpp"

namespace tenure::probe {

struct Finding {
  std::string_view name;
  std::string_view sentence;    // what holds when it is not reported
  std::string_view if_ignored;  // what happens otherwise
  std::string_view advice;      // what to do about it
  ExitCode exit_code = ExitCode::not_loadable;
};

std::span<const Finding> findings() noexcept;

// What an error of the loader means for the exit status, by the rule or the finding that it names.
ExitCode exit_code_of(const Problem& problem) noexcept;
// A problem of the loader as the report has it.
ReportProblem report_problem(const Problem& problem);

}  // namespace tenure::probe
