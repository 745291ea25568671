// SPDX-License-Identifier: Apache-2.0
#include "tenure/loader/problem.hpp"

#include <array>

namespace tenure::inline TENURE_BUILD {

std::string_view load_stage_name(LoadStage stage) noexcept {
  constexpr std::array<std::string_view, 13> names{
      "unknown",  "path", "policy",  "file",  "note",  "compatibility", "dependencies",
      "identity", "open", "recheck", "entry", "table", "publish"};
  const auto index = static_cast<std::size_t>(stage);
  return index < names.size() ? names[index] : names[0];
}

std::string_view severity_name(Severity severity) noexcept {
  constexpr std::array<std::string_view, 3> names{"note", "warning", "error"};
  const auto index = static_cast<std::size_t>(severity);
  return index < names.size() ? names[index] : "unknown";
}

}  // namespace tenure::inline TENURE_BUILD
