// SPDX-License-Identifier: Apache-2.0
// index_pair: two index tuples that name one element, the witness of an overlap.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>

#include "tenure/config.h"

namespace tenure::inline TENURE_BUILD {

// One number for each axis of a layout. On the heap only above rank 6.
using ElementIndex = boost::container::small_vector<std::int64_t, 6>;

// For one layout the two indices differ; for two layouts `first` is an index of the first and `second` one of
// the second.
struct IndexPair {
  ElementIndex first;
  ElementIndex second;

  bool operator==(const IndexPair&) const = default;
};

}  // namespace tenure::inline TENURE_BUILD
