// SPDX-License-Identifier: Apache-2.0
// number_list: extents, strides and indices as the texts of errors show them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tenure/config.h"

namespace tenure::inline TENURE_BUILD {

// "[2, 3]", "[]"
std::string text_of(const std::vector<std::int64_t>& numbers);

}  // namespace tenure::inline TENURE_BUILD
