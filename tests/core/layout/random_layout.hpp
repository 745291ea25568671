// SPDX-License-Identifier: Apache-2.0
// random_layout: seeded layouts and the index tuples that the property tests walk.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "tenure/layout/layout.hpp"

namespace tenure_test {

using Numbers = std::vector<std::int64_t>;
using Random = std::mt19937_64;

inline std::int64_t uniform(Random& random, std::int64_t lowest, std::int64_t highest) {
  return std::uniform_int_distribution<std::int64_t>(lowest, highest)(random);
}

// Calls `visit(index)` for every index tuple, the first axis fastest.
template <class Visit>
void for_each_index(const Numbers& extents, Visit visit) {
  for (const std::int64_t extent : extents) {
    if (extent == 0) return;
  }
  Numbers index(extents.size(), 0);
  for (;;) {
    visit(index);
    std::size_t axis = 0;
    while (axis < index.size() && ++index[axis] == extents[axis]) index[axis++] = 0;
    if (axis == index.size()) return;
  }
}

// offset + sum of index times stride, as the definition says.
inline std::int64_t element_of(const Numbers& strides, std::int64_t offset, const Numbers& index) {
  std::int64_t element = offset;
  for (std::size_t axis = 0; axis < index.size(); ++axis) element += index[axis] * strides[axis];
  return element;
}

inline Numbers extents_of(const tenure::Layout& layout) {
  return {layout.extents().begin(), layout.extents().end()};
}

inline Numbers random_numbers(Random& random, std::int64_t count, std::int64_t lowest, std::int64_t highest) {
  Numbers numbers(static_cast<std::size_t>(count));
  for (std::int64_t& number : numbers) number = uniform(random, lowest, highest);
  return numbers;
}

// Small extents, now and then 0, and strides of any sign.
inline tenure::Layout random_layout(Random& random, std::int64_t rank_max, std::int64_t extent_max = 4) {
  const std::int64_t rank = uniform(random, 0, rank_max);
  Numbers extents = random_numbers(random, rank, 1, extent_max);
  if (rank > 0 && uniform(random, 0, 19) == 0) {
    extents[static_cast<std::size_t>(uniform(random, 0, rank - 1))] = 0;
  }
  switch (uniform(random, 0, 3)) {
    case 0:
      return tenure::Layout::column_major(extents);
    case 1:
      return tenure::Layout::row_major(extents);
    default:
      return tenure::Layout::strided(extents, random_numbers(random, rank, -20, 20),
                                     uniform(random, -50, 50));
  }
}

}  // namespace tenure_test
