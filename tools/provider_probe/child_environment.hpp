// SPDX-License-Identifier: Apache-2.0
// child_environment: the variables that a child sees.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tenure::probe {

// Of `parent`, "NAME=value" each, those that decide which libraries and devices there are; a fixed locale;
// `folder` for temporary files; and options that make sanitizers abort on an error, accept refused
// allocations and leave unreleased memory to the rules.
std::vector<std::string> child_environment(std::span<const char* const> parent, std::string_view folder);

}  // namespace tenure::probe
