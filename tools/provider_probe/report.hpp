// SPDX-License-Identifier: Apache-2.0
// report: everything that one run of the probe has to say; text and JSON are made from it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "exit_code.hpp"
#include "inspection.hpp"
#include "verdict.hpp"

namespace tenure::probe {

// A stream of a child: the first bytes of what it wrote, and how many there were.
struct OutputExcerpt {
  std::string text;
  std::uint64_t bytes = 0;
};

// Where a child was when it crashed or was killed.
struct CrashPlace {
  std::string slot;  // the function of the provider, empty when none had been called
  std::uint64_t call_number = 0;
  std::uint32_t thread = 0;
  bool inside_call = false;
  std::string signal;        // "SIGSEGV"; empty when it was not a signal
  std::string address;       // "0x10", for the signals that have one
  std::string image_offset;  // "0x41c2", when the instruction was the provider's
};

// "SIGSEGV at 0x10, code of the provider at +0x41c2, in open (call 3, thread 0)"
std::string place_text(const CrashPlace& place);

struct RuleResult {
  std::string name;
  Verdict verdict = Verdict::crashed;
  std::string message;       // empty when it passed
  std::string needs;         // the rule that keeps a skipped one from being tested, or empty
  bool unavailable = false;  // skipped, since the provider cannot work on this machine
  std::uint64_t call_count = 0;
  std::uint64_t duration_ms = 0;
  std::optional<CrashPlace> place;
  OutputExcerpt standard_output;
  OutputExcerpt standard_error;
  std::string rerun;  // the command that runs this rule alone; empty when it passed or was skipped
};

// One thing that is wrong; the same form for every command.
struct ReportProblem {
  std::string id;        // the name of a rule or of a finding
  std::string severity;  // "error", "warning" or "note"
  std::string message;
  std::string hint;
  std::vector<std::string> evidence;
};

struct FileResult {
  std::string path_given;
  std::string path;      // absolute, without links; empty when there is no such file
  std::string provider;  // id and version of its identity card; empty without one
  ExitCode exit_code = ExitCode::good;
  std::optional<Inspection> inspection;
  std::vector<RuleResult> rules;
  std::vector<ReportProblem> problems;

  std::uint64_t count(Verdict verdict) const noexcept;
};

// The text behind a rule, a code of the contract or an exit code.
struct Explanation {
  std::string kind;  // "rule", "finding", "code" or "exit"
  std::string name;
  std::int64_t number = 0;  // of a code or an exit code
  std::string sentence;
  std::map<std::string, std::string> details{};
};

struct Report {
  std::string command{};
  ExitCode exit_code = ExitCode::good;
  std::vector<FileResult> files{};
  std::vector<Explanation> explanations{};
};

}  // namespace tenure::probe
