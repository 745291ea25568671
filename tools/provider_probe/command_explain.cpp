// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <optional>

#include "command.hpp"
#include "finding.hpp"
#include "rule.hpp"
#include "sentence.hpp"
#include "tenure/abi/code_name.hpp"

namespace tenure::probe {

namespace {

std::string_view code_sentence(std::int32_t code) {
  switch (code) {
    case TENURE_OK:
      return "The call did what it was asked for.";
    case TENURE_CANCELLED:
      return "The caller gave the call up.";
    case TENURE_INVALID_ARGUMENT:
      return "An argument can never be right; calling again does not help.";
    case TENURE_DEADLINE_EXCEEDED:
      return "The call took longer than it was given.";
    case TENURE_NOT_FOUND:
      return "What was named does not exist.";
    case TENURE_ALREADY_EXISTS:
      return "What was to be made is there already.";
    case TENURE_PERMISSION_DENIED:
      return "The process may not do this.";
    case TENURE_RESOURCE_EXHAUSTED:
      return "Memory or another resource is used up; the instance stays usable.";
    case TENURE_FAILED_PRECONDITION:
      return "The object is not in the state that the call needs.";
    case TENURE_ABORTED:
      return "The call met another one and was given up; it may be tried again.";
    case TENURE_OUT_OF_RANGE:
      return "An index or a position lies past the end.";
    case TENURE_UNIMPLEMENTED:
      return "The provider does not have this function, or not for these arguments.";
    case TENURE_INTERNAL:
      return "The provider found itself in a state that it should not be in.";
    case TENURE_UNAVAILABLE:
      return "A device, a driver or a service is missing now.";
    case TENURE_DATA_LOSS:
      return "Bytes are damaged or gone.";
    case TENURE_UNAUTHENTICATED:
      return "The caller is not known.";
    default:
      return "The provider gave no better code.";
  }
}

Explanation explain(const Rule& rule) {
  Explanation explanation{
      .kind = "rule", .name = std::string(rule.name), .sentence = std::string(rule.sentence)};
  explanation.details = {{"if ignored", std::string(rule.if_ignored)}, {"to do", std::string(rule.advice)}};
  std::string needs;
  for (const std::string_view name : rule.prerequisites()) needs += sentence(needs.empty() ? "" : ", ", name);
  if (!needs.empty()) explanation.details["needs"] = needs;
  explanation.details["runs code"] = rule.runs_provider() ? "yes, in a child process" : "no";
  explanation.details["weight"] = rule.weight == RuleWeight::warning ? "warning" : "failure";
  return explanation;
}

Explanation explain(const Finding& finding) {
  const ExitCodeEntry& exit = exit_code_entry(finding.exit_code);
  return {.kind = "finding",
          .name = std::string(finding.name),
          .sentence = std::string(finding.sentence),
          .details = {{"if ignored", std::string(finding.if_ignored)},
                      {"to do", std::string(finding.advice)},
                      {"said by", "provider-probe inspect and the loader; no rule for authors"},
                      {"exit code",
                       sentence(static_cast<int>(exit.code), " (", exit.name, "), where it is an error")}}};
}

Explanation explain(const ExitCodeEntry& entry) {
  return {.kind = "exit",
          .name = std::string(entry.name),
          .number = static_cast<std::int32_t>(entry.code),
          .sentence = std::string(entry.sentence)};
}

Explanation explain_code(std::int32_t code) {
  return {.kind = "code",
          .name = std::string(abi::status_name(code)),
          .number = code,
          .sentence = std::string(code_sentence(code))};
}

std::vector<Explanation> everything() {
  std::vector<Explanation> all;
  for (const Rule& rule : all_rules()) all.push_back(explain(rule));
  for (const Finding& finding : findings()) all.push_back(explain(finding));
  for (std::int32_t code = TENURE_OK; code <= TENURE_UNAUTHENTICATED; ++code)
    all.push_back(explain_code(code));
  for (std::int32_t number = 0; find_exit_code(number); ++number)
    all.push_back(explain(*find_exit_code(number)));
  return all;
}

bool has_name(const Explanation& explanation, std::string_view name) {
  if (explanation.name == name) return true;
  const bool is_numbered = explanation.kind == "code" || explanation.kind == "exit";
  std::int32_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  return error == std::errc{} && end == name.data() + name.size() && is_numbered &&
         explanation.number == number;
}

}  // namespace

Report run_explain(const ExplainCommand& command) {
  Report report{.command = "explain"};
  const std::vector<Explanation> all = everything();
  if (command.names.empty()) {
    report.explanations = all;
    for (Explanation& explanation : report.explanations) explanation.details.clear();
    return report;
  }
  for (const std::string& name : command.names) {
    const std::size_t before = report.explanations.size();
    std::ranges::copy_if(all, std::back_inserter(report.explanations),
                         [&](const Explanation& explanation) { return has_name(explanation, name); });
    if (report.explanations.size() != before) continue;
    report.exit_code = ExitCode::usage;
    report.explanations.push_back(
        {.kind = "unknown",
         .name = name,
         .sentence = "Nothing has this name; provider-probe explain lists all names."});
  }
  return report;
}

}  // namespace tenure::probe
