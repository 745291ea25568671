// SPDX-License-Identifier: Apache-2.0
#include "command.hpp"
#include "file_facts.hpp"
#include "finding.hpp"
#include "rule.hpp"
#include "rule_run.hpp"

namespace tenure::probe {

namespace {

// What keeps a file from being tested at all: an error that is no rule's, such as that it is not there.
void add_obstacles(const FileReport& report, FileResult& result) {
  for (const Problem& problem : report.problems) {
    if (problem.severity != Severity::error || find_rule(problem.id) != nullptr) continue;
    result.problems.push_back(report_problem(problem));
    result.exit_code = graver(result.exit_code, exit_code_of(problem));
  }
}

FileResult check_file(const std::string& path, const CheckCommand& command) {
  const FileReport report = inspect_file(path, {.policy = command.policy, .alias = {}});
  FileResult result = file_result(report);
  add_obstacles(report, result);
  if (!result.problems.empty()) return result;
  result.rules = run_suite(select_rules(command.suite), command.suite.jobs, [&](const Rule& rule) {
    if (!rule.runs_provider()) return judge_file(rule, report);
    return run_in_child(rule, result.path, command.suite.timeout_scale).result;
  });
  result.exit_code = exit_code_of(result.rules, command.exit);
  return result;
}

}  // namespace

Report run_check(const CheckCommand& command) {
  Report report{.command = "check"};
  for (const std::string& path : command.files) {
    report.files.push_back(check_file(path, command));
    report.exit_code = graver(report.exit_code, report.files.back().exit_code);
  }
  return report;
}

}  // namespace tenure::probe
