// SPDX-License-Identifier: Apache-2.0
#include "report.hpp"

#include <algorithm>

namespace tenure::probe {

std::uint64_t FileResult::count(Verdict verdict) const noexcept {
  return static_cast<std::uint64_t>(std::ranges::count(rules, verdict, &RuleResult::verdict));
}

}  // namespace tenure::probe
