// SPDX-License-Identifier: Apache-2.0
// overlap: whether two layouts over one address space share a byte.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tenure/base/index_pair.hpp"
#include "tenure/layout/layout.hpp"
#include "tenure/layout/search_answer.hpp"

namespace tenure::inline TENURE_BUILD {

// A layout at a place. `address_bytes` is where element 0 lies: a host address, or a distance from the start
// of an allocation that both operands are in.
struct PlacedLayout {
  std::uint64_t address_bytes;
  const Layout& layout;
  std::size_t element_bytes;
};

struct OverlapVerdict {
  SearchAnswer answer;  // yes: some byte belongs to both
  std::uint64_t work;   // search steps spent; 0 when a rule decided
};

// Exact, whatever the element sizes and alignments. Undecided only when `work_limit` steps did not suffice.
// With answer yes, `*witness` becomes the two elements that share a byte; otherwise it stays as it is. To
// leave it out saves its making.
TENURE_API OverlapVerdict decide_overlap(const PlacedLayout& a, const PlacedLayout& b,
                                         std::uint64_t work_limit = search_work_limit_default,
                                         IndexPair* witness = nullptr);

// Whether an index of `a` and another index of `b`, two layouts of equal extents, share a byte, as those of a
// matrix and its transpose do. `*witness` becomes such a pair. Exact like decide_overlap.
TENURE_API OverlapVerdict decide_crossing(const PlacedLayout& a, const PlacedLayout& b,
                                          std::uint64_t work_limit = search_work_limit_default,
                                          IndexPair* witness = nullptr);

}  // namespace tenure::inline TENURE_BUILD
