// SPDX-License-Identifier: Apache-2.0
// similar_names: what somebody may have meant who asked for a name that is not there.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tenure/config.h"

namespace tenure::inline TENURE_BUILD {

// A few edits apart, or the same library with another version number.
bool names_are_similar(std::string_view wanted, std::string_view there);

// Paths of the similar names in a folder, sorted, at most `count_max`; none when it cannot be read.
std::vector<std::string> similar_files(const std::string& folder, std::string_view name,
                                       std::size_t count_max = 3);

}  // namespace tenure::inline TENURE_BUILD
