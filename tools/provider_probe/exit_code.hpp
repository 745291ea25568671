// SPDX-License-Identifier: Apache-2.0
// exit_code: what the exit status of provider-probe says.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace tenure::probe {

enum class ExitCode : std::int32_t {
  good = 0,
  findings = 1,
  usage = 2,
  not_a_provider = 3,
  not_loadable = 4,
  incompatible = 5,
  unavailable = 6,
  crashed = 7,
  hung = 8,
  refused = 9,
  probe_fault = 10,
  warnings = 11,
};

struct ExitCodeEntry {
  ExitCode code;
  std::string_view name;      // "not-a-provider"
  std::string_view sentence;  // what it says about the provider
};

// All of them, the gravest first: the order by which one is chosen for several files or findings.
std::span<const ExitCodeEntry> exit_codes() noexcept;
const ExitCodeEntry& exit_code_entry(ExitCode code) noexcept;
// The entry of a number, or nothing when no exit status has it.
std::optional<ExitCodeEntry> find_exit_code(std::int32_t number) noexcept;
// The graver of the two.
ExitCode graver(ExitCode a, ExitCode b) noexcept;

}  // namespace tenure::probe
