// SPDX-License-Identifier: Apache-2.0
// expected_verdicts: what the verdicts on a provider may be beside passed, and why, from a committed list.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace tenure::test {

// How the rules of a report differ from `expected`, an object for each of "skipped" and "warning" with a
// reason for every rule that has this verdict; all other rules pass. The reason of a skip is the probe's
// message; that of a warning says why it is put up with. One sentence for each difference, in both
// directions.
inline std::vector<std::string> differences(const nlohmann::json& rules, nlohmann::json expected) {
  std::vector<std::string> sentences;
  for (const auto& rule : rules) {
    const std::string name = rule.at("name");
    const std::string verdict = rule.at("verdict");
    const std::string message = rule.at("message");
    if (verdict == "passed") continue;
    if (!expected.contains(verdict) || !expected.at(verdict).contains(name)) {
      sentences.push_back(name + " is " + verdict + " and not listed so: " + message);
      continue;
    }
    if (verdict == "skipped" && expected.at(verdict).at(name) != message) {
      sentences.push_back(name + " is " + verdict + " for another reason than the list gives: " + message);
    }
    expected.at(verdict).erase(name);
  }
  for (const auto& [verdict, names] : expected.items()) {
    for (const auto& [name, reason] : names.items()) {
      sentences.push_back(name + " is listed as " + verdict + ", and is not");
    }
  }
  return sentences;
}

}  // namespace tenure::test
