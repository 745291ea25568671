// SPDX-License-Identifier: Apache-2.0
#include "rule.hpp"

#include <algorithm>

namespace tenure::probe {

std::vector<std::string_view> Rule::prerequisites() const {
  std::vector<std::string_view> names;
  const auto add = [&](std::string_view other) {
    if (!other.empty() && other != name) names.push_back(other);
  };
  if (reach != RuleReach::file && name != map_rule) add(entry_rule);
  if (reach == RuleReach::instance) add(open_rule);
  for (const std::string_view other : needs) add(other);
  return names;
}

std::span<const Rule> all_rules() {
  static const std::vector<Rule> rules = [] {
    std::vector<Rule> joined;
    for (const auto table :
         {file_rules(), load_rules(), life_rules(), abi_rules(), answer_rules(), mem_rules(), account_rules(),
          copy_rules(), fill_rules(), conc_rules(), pool_rules(), engine_rules()}) {
      joined.insert(joined.end(), table.begin(), table.end());
    }
    return joined;
  }();
  return rules;
}

const Rule* find_rule(std::string_view name) noexcept {
  const auto rules = all_rules();
  const auto found = std::ranges::find(rules, name, &Rule::name);
  return found == rules.end() ? nullptr : &*found;
}

}  // namespace tenure::probe
