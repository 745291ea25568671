// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "file_facts.hpp"
#include "finding.hpp"
#include "inspection_json.hpp"
#include "rule_run.hpp"
#include "rules/inspection_tasks.hpp"
#include "sentence.hpp"

namespace tenure::probe {

namespace {

// What became of a child that did not get to the end, in words; empty for one that did.
std::string trouble_of(const RuleResult& result) {
  if (result.verdict == Verdict::passed) return {};
  if (!result.place) return result.message;
  return sentence(verdict_name(result.verdict), ": ", result.message, ", ", place_text(*result.place));
}

ExitCode exit_code_of_child(const RuleResult& result) {
  if (result.verdict == Verdict::skipped)
    return ExitCode::not_loadable;  // it did not come as far as it should
  return exit_code_of({result}, {});
}

void ask_provider(const InspectCommand& command, FileResult& result) {
  const TrialRun run = run_in_child(run_facts_task(), result.path, command.timeout_scale);
  RunFacts& facts = result.inspection->run.emplace();
  if (run.content.contains("run")) read_json(run.content.at("run"), facts);
  facts.trouble = trouble_of(run.result);
  result.exit_code = graver(result.exit_code, exit_code_of_child(run.result));
  if (facts.trouble.empty() && !facts.is_available) {
    result.exit_code = graver(result.exit_code, ExitCode::unavailable);
  }
}

void try_load(const InspectCommand& command, FileResult& result) {
  // A path that leads nowhere is told as it is from here: the child has a folder of its own.
  const std::string path = !result.path.empty() || result.path_given.empty()
                               ? result.path
                               : std::filesystem::absolute(result.path_given).string();
  const TrialRun run = run_in_child(load_trail_task(), path, command.timeout_scale);
  LoadTrail& trail = result.inspection->load.emplace();
  if (run.content.contains("load")) read_json(run.content.at("load"), trail);
  trail.trouble = trouble_of(run.result);
  result.exit_code = graver(result.exit_code, exit_code_of_child(run.result));
  if (trail.trouble.empty() && !trail.is_loaded) {
    Problem problem;
    problem.id = trail.problem;
    result.exit_code = graver(result.exit_code, exit_code_of(problem));
  }
}

FileResult inspect_one(const std::string& path, const InspectCommand& command) {
  const FileReport report = inspect_file(path, {.policy = command.policy, .alias = {}});
  FileResult result = file_result(report);
  for (const Problem& problem : report.problems) {
    result.problems.push_back(report_problem(problem));
    if (problem.severity == Severity::error)
      result.exit_code = graver(result.exit_code, exit_code_of(problem));
    if (problem.severity == Severity::warning && command.warnings_count) {
      result.exit_code = graver(result.exit_code, ExitCode::warnings);
    }
  }
  result.inspection = inspection_of(report);
  const bool is_loadable = report.first_error() == nullptr;
  if (command.run && is_loadable) ask_provider(command, result);
  if (command.why) try_load(command, result);
  return result;
}

}  // namespace

Report run_inspect(const InspectCommand& command) {
  Report report{.command = "inspect"};
  for (const std::string& path : command.files) {
    report.files.push_back(inspect_one(path, command));
    report.exit_code = graver(report.exit_code, report.files.back().exit_code);
  }
  return report;
}

}  // namespace tenure::probe
