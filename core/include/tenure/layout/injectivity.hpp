// SPDX-License-Identifier: Apache-2.0
// injectivity: whether no two indices of a layout name the same element.
#pragma once

#include <cstdint>
#include <optional>

#include "tenure/base/index_pair.hpp"
#include "tenure/layout/layout.hpp"
#include "tenure/layout/search_answer.hpp"

namespace tenure::inline TENURE_BUILD {

struct InjectivityVerdict {
  SearchAnswer answer;               // yes: injective
  std::optional<IndexPair> witness;  // with answer no: two indices of one element
  std::uint64_t work;                // search steps spent; 0 when a rule decided
};

// Exact. Undecided only when `work_limit` steps did not suffice, which at the default does not happen up to
// rank 6.
TENURE_API InjectivityVerdict decide_injectivity(const Layout& layout,
                                                 std::uint64_t work_limit = search_work_limit_default);

// The demand: records the proof in `layout`, or throws OverlappingMutableLayout, also when undecided. Free
// for a layout that is known to be injective.
TENURE_API void require_injective(Layout& layout, const char* operation = "require_injective",
                                  std::uint64_t work_limit = search_work_limit_default);

}  // namespace tenure::inline TENURE_BUILD
