// SPDX-License-Identifier: Apache-2.0
// index_pair: two index tuples that name one element, the witness of an overlap.
#pragma once

#include <cstdint>
#include <vector>

#include "tenure/config.h"

namespace tenure::inline TENURE_BUILD {

// One number for each axis of the layout that the index belongs to. For one layout the two indices differ;
// for two layouts `first` is an index of the first and `second` one of the second.
struct IndexPair {
  std::vector<std::int64_t> first;
  std::vector<std::int64_t> second;

  bool operator==(const IndexPair&) const = default;
};

}  // namespace tenure::inline TENURE_BUILD
