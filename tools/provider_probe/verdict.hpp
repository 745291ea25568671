// SPDX-License-Identifier: Apache-2.0
// verdict: what became of one rule.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace tenure::probe {

enum class Verdict {
  passed,
  failed,
  crashed,  // its child ended without a record of the outcome
  hung,     // its child was killed at the deadline
  skipped,  // it could not be tested; the reason is in the message
  warning,  // a rule that only warns failed
};

inline constexpr std::array verdicts{Verdict::passed, Verdict::failed,  Verdict::crashed,
                                     Verdict::hung,   Verdict::skipped, Verdict::warning};

constexpr std::string_view verdict_name(Verdict verdict) noexcept {
  switch (verdict) {
    case Verdict::passed:
      return "passed";
    case Verdict::failed:
      return "failed";
    case Verdict::crashed:
      return "crashed";
    case Verdict::hung:
      return "hung";
    case Verdict::skipped:
      return "skipped";
    case Verdict::warning:
      return "warning";
  }
  return "crashed";
}

constexpr std::optional<Verdict> verdict_of(std::string_view name) noexcept {
  for (const Verdict verdict : verdicts) {
    if (verdict_name(verdict) == name) return verdict;
  }
  return std::nullopt;
}

}  // namespace tenure::probe
