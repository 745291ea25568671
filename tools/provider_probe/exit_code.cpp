// SPDX-License-Identifier: Apache-2.0
#include "exit_code.hpp"

#include <algorithm>
#include <array>

namespace tenure::probe {

namespace {

constexpr std::array<ExitCodeEntry, 12> entries{{
    {ExitCode::probe_fault, "probe-fault", "The probe itself failed; nothing is said about the provider."},
    {ExitCode::usage, "usage", "The command line is wrong; nothing was looked at."},
    {ExitCode::crashed, "crashed", "Provider code ended its process, or left it without an answer."},
    {ExitCode::hung, "hung", "Provider code did not return before its deadline."},
    {ExitCode::refused, "refused", "The safety policy keeps the file from being loaded."},
    {ExitCode::not_a_provider, "not-a-provider", "The file cannot be read, or it is not a provider."},
    {ExitCode::incompatible, "incompatible",
     "The provider needs another ABI, instruction set, sanitizer or machine than this host has."},
    {ExitCode::not_loadable, "not-loadable",
     "The provider cannot be loaded: something that it needs is missing, or it refuses."},
    {ExitCode::findings, "findings", "At least one rule failed."},
    {ExitCode::unavailable, "unavailable",
     "The provider is sound but cannot work on this machine, for want of a device or a driver."},
    {ExitCode::warnings, "warnings", "Nothing failed, there are warnings, and --werror was given."},
    {ExitCode::good, "good", "Nothing is wrong."},
}};

const ExitCodeEntry* find(ExitCode code) noexcept {
  return std::find_if(entries.begin(), entries.end(),
                      [code](const ExitCodeEntry& entry) { return entry.code == code; });
}

}  // namespace

std::span<const ExitCodeEntry> exit_codes() noexcept { return entries; }

const ExitCodeEntry& exit_code_entry(ExitCode code) noexcept { return *find(code); }

std::optional<ExitCodeEntry> find_exit_code(std::int32_t number) noexcept {
  const auto found = find(static_cast<ExitCode>(number));
  return found == entries.end() ? std::nullopt : std::optional(*found);
}

ExitCode graver(ExitCode a, ExitCode b) noexcept { return find(a) < find(b) ? a : b; }

}  // namespace tenure::probe
