// SPDX-License-Identifier: Apache-2.0
// compatibility: whether a provider with this identity card can run in this process.
#pragma once

#include <vector>

#include "loader/process_facts.hpp"
#include "tenure/config.h"
#include "tenure/loader/identity_card.hpp"
#include "tenure/loader/problem.hpp"

namespace tenure::inline TENURE_BUILD {

// ABI versions and draft, instruction set level, sanitizers: all that do not fit, errors and warnings.
std::vector<Problem> check_compatibility(const IdentityCard& card, const HostFacts& host);

}  // namespace tenure::inline TENURE_BUILD
