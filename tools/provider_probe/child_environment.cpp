// SPDX-License-Identifier: Apache-2.0
#include "child_environment.hpp"

#include <algorithm>
#include <array>

namespace tenure::probe {

namespace {

constexpr std::array<std::string_view, 4> kept_names{"HOME=", "LD_LIBRARY_PATH=", "PATH=", "TZ="};
constexpr std::array<std::string_view, 3> kept_prefixes{"CUDA_", "NVIDIA_", "TENURE_"};

constexpr std::string_view sanitizer_options =
    "abort_on_error=1:allocator_may_return_null=1:detect_leaks=0:disable_coredump=1:handle_abort=0";

// What the user set for a sanitizer comes first, so that ours wins.
std::string sanitizer_variable(std::string_view name, std::span<const char* const> parent) {
  std::string variable(name);
  variable += '=';
  for (const std::string_view text : parent) {
    if (!text.starts_with(variable)) continue;
    variable = text;
    variable += ':';
    break;
  }
  return variable.append(sanitizer_options);
}

}  // namespace

std::vector<std::string> child_environment(std::span<const char* const> parent, std::string_view folder) {
  std::vector<std::string> variables;
  for (const std::string_view text : parent) {
    const auto begins = [text](std::string_view prefix) { return text.starts_with(prefix); };
    if (std::ranges::any_of(kept_names, begins) || std::ranges::any_of(kept_prefixes, begins)) {
      variables.emplace_back(text);
    }
  }
  variables.emplace_back("LC_ALL=C.UTF-8");
  variables.emplace_back("TMPDIR=").append(folder);
  for (const std::string_view name : {"ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS"}) {
    variables.push_back(sanitizer_variable(name, parent));
  }
  return variables;
}

}  // namespace tenure::probe
