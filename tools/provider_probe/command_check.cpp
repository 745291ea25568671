// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include "command.hpp"
#include "rule_run.hpp"

namespace tenure::probe {

namespace {

FileResult check_file(const std::string& path_given, const CheckCommand& command) {
  FileResult result;
  result.path_given = path_given;
  result.path = std::filesystem::canonical(path_given);
  result.rules = run_suite(select_rules(command.suite), command.suite.jobs, [&](const Rule& rule) {
    return run_rule(rule, result.path, command.suite.timeout_scale);
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
