// SPDX-License-Identifier: Apache-2.0
#include "report.hpp"

#include <algorithm>

#include "sentence.hpp"

namespace tenure::probe {

std::string place_text(const CrashPlace& place) {
  std::string text;
  if (!place.signal.empty()) text += place.signal;
  if (!place.address.empty()) text += sentence(" at ", place.address);
  if (!place.image_offset.empty()) text += sentence(", code of the provider at +", place.image_offset);
  if (!text.empty()) text += ", ";
  if (place.slot.empty()) return text + "before any call of the provider";
  return text + sentence(place.inside_call ? "in " : "after ", place.slot, " (call ", place.call_number,
                         ", thread ", place.thread, ')');
}

std::uint64_t FileResult::count(Verdict verdict) const noexcept {
  return static_cast<std::uint64_t>(std::ranges::count(rules, verdict, &RuleResult::verdict));
}

}  // namespace tenure::probe
