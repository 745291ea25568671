// SPDX-License-Identifier: Apache-2.0
// search_answer: what an exact search with a bound on its work can say.
#pragma once

#include <cstdint>

#include "tenure/config.h"

namespace tenure::inline TENURE_BUILD {

enum class SearchAnswer : std::uint8_t {
  no,
  yes,
  undecided
};

// Steps of a search before it gives up: about a tenth of a second at any rank.
inline constexpr std::uint64_t search_work_limit_default = 1u << 20;

}  // namespace tenure::inline TENURE_BUILD
