// SPDX-License-Identifier: Apache-2.0
#include "rule_run.hpp"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "child_process.hpp"
#include "child_result.hpp"
#include "probe_fault.hpp"
#include "sentence.hpp"
#include "tenure/provider_note.h"

namespace tenure::probe {

namespace {

// Instrumented code runs several times slower.
constexpr double sanitizer_scale = TENURE_SANITIZERS_HERE == 0 ? 1.0 : 4.0;

std::string signal_text(int signal) {
  const char* abbreviation = ::sigabbrev_np(signal);
  return abbreviation == nullptr ? sentence("signal ", signal) : sentence("SIG", abbreviation);
}

std::string hexadecimal(std::uint64_t value) { return sentence("0x", std::hex, value); }

std::optional<CrashPlace> crash_place(const ChildOutcome& outcome) {
  CrashPlace place;
  if (const CallTrace* trace = outcome.breadcrumb.place()) {
    place.slot = abi::call_slot_name(trace->slot);
    place.call_number = trace->number;
    place.thread = trace->thread;
    place.inside_call = trace->inside;
  }
  if (const auto& crash = outcome.breadcrumb.crash) {
    place.signal = signal_text(crash->signal);
    if (crash->signal == SIGSEGV || crash->signal == SIGBUS) place.address = hexadecimal(crash->address);
    if (crash->in_image) place.image_offset = hexadecimal(crash->image_offset);
  } else if (outcome.signal != 0) {
    place.signal = signal_text(outcome.signal);
  }
  return place;
}

std::string end_text(const ChildOutcome& outcome) {
  if (outcome.end == ChildEnd::signalled) return sentence("ended by ", signal_text(outcome.signal));
  return sentence("ended the process with exit status ", outcome.exit_status);
}

std::string text_of(const nlohmann::ordered_json& content, const char* key) {
  const auto found = content.find(key);
  return found == content.end() || !found->is_string() ? std::string() : found->get<std::string>();
}

// What the child said of itself. A child that said nothing, or did not end well afterwards, has crashed.
void judge(const ChildOutcome& outcome, std::string_view token, TrialRun& run) {
  RuleResult& result = run.result;
  const auto content = read_result(token, outcome.result);
  const auto verdict = content ? verdict_of(text_of(*content, "verdict")) : std::nullopt;
  if (content && text_of(*content, "verdict") == "fault") throw ProbeFault(text_of(*content, "message"));
  if (!verdict) {
    result.message =
        sentence(end_text(outcome),
                 outcome.result.empty() ? ", without a verdict" : ", with a verdict that is not the probe's");
  } else if (outcome.end != ChildEnd::exited || outcome.exit_status != 0) {
    result.message =
        sentence(end_text(outcome), ", after the rule had been found to be ", verdict_name(*verdict));
  } else {
    result.verdict = *verdict;
    result.message = text_of(*content, "message");
    result.needs = text_of(*content, "needs");
    result.unavailable = content->value("unavailable", false);
    run.content = *content;
  }
}

// One word for a shell.
std::string shell_word(std::string_view word) {
  std::string text = "'";
  for (const char letter : word) {
    if (letter == '\'') {
      text += "'\\''";
    } else {
      text += letter;
    }
  }
  return text += '\'';
}

// What follows from a verdict whatever it was found by.
void complete(const Rule& rule, const std::string& file, RuleResult& result) {
  result.name = rule.name;
  if (result.verdict == Verdict::failed && rule.weight == RuleWeight::warning)
    result.verdict = Verdict::warning;
  if (result.verdict != Verdict::passed && result.verdict != Verdict::skipped) {
    result.rerun = sentence("provider-probe check ", shell_word(file), " --only ", rule.name);
  }
}

}  // namespace

RuleResult judge_file(const Rule& rule, const FileReport& report) {
  FileVerdict verdict = rule.judge(rule, report);
  RuleResult result;
  result.verdict = verdict.verdict;
  result.message = std::move(verdict.message);
  complete(rule, report.path_real, result);
  return result;
}

TrialRun run_in_child(const Rule& rule, const std::string& file, double timeout_scale) {
  const std::string token = make_result_token();
  const auto deadline = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::seconds(rule.deadline_s) * timeout_scale * sanitizer_scale);
  const ChildOutcome outcome =
      run_child({.arguments = {rule_verb, std::to_string(::getpid()), token, file, std::string(rule.name)},
                 .deadline = deadline});

  TrialRun run;
  RuleResult& result = run.result;
  result.call_count = outcome.breadcrumb.call_count;
  result.duration_ms = static_cast<std::uint64_t>(outcome.duration.count());
  result.standard_output = {outcome.standard_output.text, outcome.standard_output.bytes};
  result.standard_error = {outcome.standard_error.text, outcome.standard_error.bytes};
  if (outcome.end == ChildEnd::hung) {
    result.verdict = Verdict::hung;
    result.message = sentence("did not return within ", static_cast<double>(deadline.count()) / 1000,
                              " s in which it could run; --timeout-scale gives it more");
  } else {
    judge(outcome, token, run);
  }
  if (result.verdict == Verdict::crashed || result.verdict == Verdict::hung)
    result.place = crash_place(outcome);
  complete(rule, file, result);
  return run;
}

}  // namespace tenure::probe
