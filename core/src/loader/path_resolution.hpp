// SPDX-License-Identifier: Apache-2.0
// path_resolution: from what the user wrote to a real absolute path, or why there is none.
#pragma once

#include <filesystem>
#include <string>
#include <variant>

#include "tenure/config.h"
#include "tenure/loader/problem.hpp"

namespace tenure::inline TENURE_BUILD {

// Absolute, every link followed. A relative path starts in the current directory.
std::variant<std::string, Problem> resolve_path(const std::filesystem::path& given);

}  // namespace tenure::inline TENURE_BUILD
