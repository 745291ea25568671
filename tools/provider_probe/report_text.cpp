// SPDX-License-Identifier: Apache-2.0
#include "report_text.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <span>
#include <string_view>

#include "inspection_text.hpp"
#include "rule.hpp"
#include "sentence.hpp"
#include "text_block.hpp"

namespace tenure::probe {

namespace {

constexpr std::size_t verdict_column = 2;
constexpr std::size_t detail_column = 10;

std::string_view verdict_word(Verdict verdict) {
  switch (verdict) {
    case Verdict::passed:
      return "pass";
    case Verdict::failed:
      return "FAIL";
    case Verdict::crashed:
      return "CRASH";
    case Verdict::hung:
      return "HUNG";
    case Verdict::skipped:
      return "skip";
    case Verdict::warning:
      return "warn";
  }
  return "?";
}

void add_output(TextBlock& block, std::string_view name, const OutputExcerpt& output) {
  if (output.bytes == 0) return;
  const std::string kept = output.bytes == output.text.size()
                               ? ""
                               : sentence(", of which the first ", byte_text(output.text.size()));
  block.add(sentence("  ", name), detail_column, sentence(byte_text(output.bytes), kept, ':'));
  std::string_view rest = output.text;
  constexpr int lines_max = 12;
  for (int line = 0; line < lines_max && !rest.empty(); ++line) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    block.add_line(sentence(std::string(detail_column, ' '), "| ", rest.substr(0, end)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

// Both ended at one instruction or, where it is not known, in one function of the provider.
bool crashed_alike(const RuleResult& a, const RuleResult& b) {
  if (a.verdict != Verdict::crashed || b.verdict != Verdict::crashed || !a.place || !b.place) return false;
  const bool is_known = !a.place->image_offset.empty() || !a.place->slot.empty();
  return is_known && a.place->signal == b.place->signal && a.place->image_offset == b.place->image_offset &&
         a.place->slot == b.place->slot && a.place->inside_call == b.place->inside_call;
}

void add_finding(TextBlock& block, const RuleResult& result) {
  block.add(sentence("  ", verdict_word(result.verdict)), detail_column,
            sentence(result.name, ": ", result.message));
  if (const Rule* rule = find_rule(result.name)) {
    block.add("    rule", detail_column, rule->sentence);
    block.add("    do", detail_column, rule->advice);
  }
  if (result.place) block.add("    where", detail_column, place_text(*result.place));
  add_output(block, "  stdout", result.standard_output);
  add_output(block, "  stderr", result.standard_error);
  if (!result.rerun.empty()) block.add("    again", detail_column, result.rerun);
}

// Rules that are skipped for one reason stand together, where the first of them would.
void add_skips(TextBlock& block, const std::vector<RuleResult>& rules, std::string_view reason) {
  std::string names;
  for (const RuleResult& rule : rules) {
    if (rule.verdict == Verdict::skipped && rule.message == reason)
      names += sentence(names.empty() ? "" : ", ", rule.name);
  }
  block.add("  skip", detail_column, sentence(reason, ": ", names));
}

// The rules that a finding stands for besides its own.
template <class Alike>
void add_companions(TextBlock& block, std::span<const RuleResult> rules, const Alike& alike) {
  std::string names;
  std::size_t count = 0;
  for (const RuleResult& rule : rules) {
    if (!alike(rule)) continue;
    names += sentence(names.empty() ? "" : ", ", rule.name);
    ++count;
  }
  if (count == 0) return;
  block.add("    also", detail_column,
            sentence(counted(count, "rule"), " crashed in the same place: ", names));
}

void add_rules(TextBlock& block, const FileResult& file) {
  std::set<std::string_view> reasons;
  for (const RuleResult& result : file.rules) {
    if (result.verdict == Verdict::skipped) {
      if (reasons.insert(result.message).second) add_skips(block, file.rules, result.message);
    } else if (result.verdict != Verdict::passed) {
      const auto alike = [&](const RuleResult& other) { return crashed_alike(other, result); };
      const bool is_said = std::any_of(file.rules.data(), &result, alike);
      if (is_said) continue;
      add_finding(block, result);
      add_companions(block, std::span(&result + 1, file.rules.data() + file.rules.size()), alike);
    }
  }
  const std::uint64_t duration_ms =
      std::accumulate(file.rules.begin(), file.rules.end(), std::uint64_t{0},
                      [](std::uint64_t sum, const RuleResult& result) { return sum + result.duration_ms; });
  block.add("", 0,
            sentence(counted(file.rules.size(), "rule"), ": ", file.count(Verdict::passed), " passed, ",
                     file.count(Verdict::failed), " failed, ", file.count(Verdict::crashed), " crashed, ",
                     file.count(Verdict::hung), " hung, ", file.count(Verdict::skipped), " skipped, ",
                     counted(file.count(Verdict::warning), "warning"), "; ", duration_text(duration_ms),
                     " in the children"));
}

void add_problems(TextBlock& block, const FileResult& file) {
  for (const ReportProblem& problem : file.problems) {
    block.add(sentence("  ", problem.severity), detail_column, sentence(problem.id, ": ", problem.message));
    if (!problem.hint.empty()) block.add("    do", detail_column, problem.hint);
    for (const std::string& line : problem.evidence) block.add("", detail_column, line);
  }
}

void add_file(TextBlock& block, const FileResult& file) {
  const bool was_moved = !file.path.empty() && file.path != file.path_given;
  if (!file.provider.empty()) block.add_line(file.provider);
  block.add("", 0, was_moved ? sentence(file.path, "   (given: ", file.path_given, ')') : file.path_given);
  if (file.inspection) add_inspection(block, file);
  add_problems(block, file);
  if (!file.rules.empty()) add_rules(block, file);
  const ExitCodeEntry& entry = exit_code_entry(file.exit_code);
  block.add("", 0, sentence("exit ", static_cast<int>(entry.code), " (", entry.name, "): ", entry.sentence));
}

void add_explanation(TextBlock& block, const Explanation& explanation) {
  const bool has_number = explanation.kind == "code" || explanation.kind == "exit";
  const std::string number = !has_number ? "" : sentence(' ', explanation.number);
  block.add("", 0, sentence(explanation.name, "   ", explanation.kind, number));
  block.add("", verdict_column, explanation.sentence);
  for (const auto& [name, text] : explanation.details) block.add(sentence("  ", name), 16, text);
}

}  // namespace

std::string to_text(const Report& report, std::size_t width) {
  TextBlock block(width);
  bool is_first = true;
  const auto separate = [&] {
    if (!is_first) block.add_line();
    is_first = false;
  };
  for (const FileResult& file : report.files) {
    separate();
    add_file(block, file);
  }
  for (const Explanation& explanation : report.explanations) {
    if (report.explanations.size() == 1 || !explanation.details.empty()) separate();
    add_explanation(block, explanation);
  }
  return block.text();
}

}  // namespace tenure::probe
