// SPDX-License-Identifier: Apache-2.0
// permute_case: copies in another order of axes, beside memcpy, a plain loop and libtorch.
#pragma once

#include <vector>

#include "../case.hpp"
#include "../setup.hpp"
#include "pattern.hpp"

namespace tenure::bench {

// One row for each pattern and thread count.
void add_pattern_cases(Setup& setup, const std::vector<Pattern>& patterns, CaseList& cases);

}  // namespace tenure::bench
