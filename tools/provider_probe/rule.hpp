// SPDX-License-Identifier: Apache-2.0
// rule: one named promise of the contract, and how it is tested.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "exit_code.hpp"
#include "tenure/loader/file_report.hpp"
#include "verdict.hpp"

namespace tenure::probe {

class Trial;

// How far into a provider the test of a rule goes. Each kind also needs what the kinds before it need.
enum class RuleReach {
  file,      // looks at what was read of the file
  image,     // maps it and calls its entry; needs load.entry to have passed
  instance,  // opens it; needs that life.open-close did not crash or hang
};

enum class RuleWeight {
  failure,
  warning,
};

// What the bytes of a file say about a rule.
struct FileVerdict {
  Verdict verdict = Verdict::passed;  // passed, failed or skipped
  std::string message{};
};

struct Rule {
  std::string_view name;        // family, dot, what it is about: "mem.zero-bytes"
  std::string_view sentence;    // the promise
  std::string_view if_ignored;  // what happens to users of a provider that breaks it
  std::string_view advice;      // what an author does about a failure
  RuleReach reach = RuleReach::instance;
  RuleWeight weight = RuleWeight::failure;
  ExitCode exit_code = ExitCode::findings;  // of a failure
  std::array<std::string_view, 5> needs{};  // rules that must have passed; empty names are none
  std::uint32_t deadline_s = 10;
  // Of a rule about the file.
  FileVerdict (*judge)(const Rule&, const FileReport&) = nullptr;
  // Of any other: runs in a child; leaves it through one of the verdicts of Trial, or returns, which is
  // passing.
  void (*check)(Trial&) = nullptr;

  std::string_view family() const noexcept { return name.substr(0, name.find('.')); }
  bool runs_provider() const noexcept { return reach != RuleReach::file; }
  // The rules before it that decide whether it runs: `needs` and what its reach needs.
  std::vector<std::string_view> prerequisites() const;
};

inline constexpr std::string_view map_rule = "load.now";
inline constexpr std::string_view entry_rule = "load.entry";
inline constexpr std::string_view open_rule = "life.open-close";

// All rules, each after its prerequisites.
std::span<const Rule> all_rules();
// Null when there is none of that name.
const Rule* find_rule(std::string_view name) noexcept;

// The tables that they are made of. answer_rules is the second half of the family abi, account_rules that of
// the family mem.
std::span<const Rule> file_rules() noexcept;
std::span<const Rule> load_rules() noexcept;
std::span<const Rule> life_rules() noexcept;
std::span<const Rule> abi_rules() noexcept;
std::span<const Rule> answer_rules() noexcept;
std::span<const Rule> mem_rules() noexcept;
std::span<const Rule> account_rules() noexcept;
std::span<const Rule> copy_rules() noexcept;
std::span<const Rule> fill_rules() noexcept;
std::span<const Rule> conc_rules() noexcept;
std::span<const Rule> pool_rules() noexcept;
std::span<const Rule> engine_rules() noexcept;

}  // namespace tenure::probe
