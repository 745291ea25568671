// SPDX-License-Identifier: Apache-2.0
// box: a strided box of elements in memory of its own, with room around it that nobody may touch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "element.hpp"
#include "tenure/provider_engine.h"

namespace cpu_test {

using Random = std::mt19937_64;
using Extents = std::vector<std::int64_t>;

// A number in [low, high].
inline std::int64_t pick(Random& random, std::int64_t low, std::int64_t high) {
  return std::uniform_int_distribution<std::int64_t>(low, high)(random);
}

std::int64_t count_of(const Extents& extents);

enum class Layout {
  compact,   // first axis fastest
  permuted,  // any order of the axes, gaps, negative strides
  broadcast  // the same with some strides of 0
};

class Box {
 public:
  // Elements are random; use fill_zero or at() for others.
  Box(Random& random, Dtype dtype, Extents extents, Layout layout = Layout::compact);

  Dtype dtype() const { return dtype_; }
  const Extents& extents() const { return extents_; }
  const Extents& strides() const { return strides_; }
  std::int64_t count() const { return count_of(extents_); }

  // The element at a position that counts the first axis fastest.
  std::byte* at(std::int64_t position);
  const std::byte* at(std::int64_t position) const { return const_cast<Box*>(this)->at(position); }
  Number get(std::int64_t position) const { return read_number(dtype_, at(position)); }
  void set(std::int64_t position, const Number& number) { write_number(dtype_, number, at(position)); }

  tenure_operand operand(std::uint32_t access) const;

  // All elements' bytes in the order of positions.
  std::vector<std::byte> bytes() const;
  // Whether only the elements differ from `before`, a copy of this box.
  bool differs_only_in_elements(const Box& before) const;

 private:
  void choose_strides(Random& random, Layout layout);

  Dtype dtype_;
  Extents extents_;
  Extents strides_;
  std::int64_t origin_ = 0;  // of index (0, 0, ...), in elements
  std::vector<std::byte> memory_;
};

// Extents of a random rank up to `rank_max` with about `elements` elements, now and then none.
Extents random_extents(Random& random, int rank_max, std::int64_t elements);
Layout random_layout(Random& random, bool may_broadcast);

}  // namespace cpu_test
