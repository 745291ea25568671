// SPDX-License-Identifier: Apache-2.0
// random_pair: two seeded readings of one stretch of memory, many of them interleaved.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "random_layout.hpp"
#include "tenure/layout/overlap.hpp"

namespace tenure_test {

struct RandomPair {
  static constexpr std::uint64_t origin = 1u << 20;  // all bytes lie within `reach_bytes` of it
  static constexpr std::int64_t reach_bytes = 1 << 19;

  tenure::Layout layout_a;
  tenure::Layout layout_b;
  std::uint64_t address_a;
  std::uint64_t address_b;
  std::size_t element_bytes_a;
  std::size_t element_bytes_b;

  tenure::PlacedLayout a() const { return {address_a, layout_a, element_bytes_a}; }
  tenure::PlacedLayout b() const { return {address_b, layout_b, element_bytes_b}; }
};

// Extents of at most 300 elements in all.
inline Numbers random_extents(Random& random, std::int64_t rank) {
  Numbers extents(static_cast<std::size_t>(rank));
  std::int64_t room = 300;
  for (std::int64_t& extent : extents) {
    extent = uniform(random, 1, std::min<std::int64_t>(room, uniform(random, 1, 3) == 1 ? 12 : 4));
    room /= extent;
  }
  std::shuffle(extents.begin(), extents.end(), random);
  return extents;
}

// Strides without a plan, or all of them multiples of one number.
inline tenure::Layout random_strides(Random& random, std::int64_t rank_max, std::int64_t unit) {
  const std::int64_t rank = uniform(random, 0, rank_max);
  const std::int64_t spread = std::int64_t{1} << uniform(random, 1, 7);
  Numbers strides = random_numbers(random, rank, -spread, spread);
  for (std::int64_t& stride : strides) stride *= unit;
  return tenure::Layout::strided(random_extents(random, rank), strides, uniform(random, -spread, spread));
}

// A part of a compact tensor: every axis cut, stepped and turned round as it comes.
inline tenure::Layout random_part(Random& random, const tenure::Layout& whole) {
  tenure::Layout part = whole;
  for (std::int64_t axis = 0; axis < part.rank(); ++axis) {
    const std::int64_t step = uniform(random, 1, 3);
    part = part.slice(axis, {uniform(random, 0, std::min(step, part.extent(axis)) - 1), std::nullopt, step});
    if (uniform(random, 0, 3) == 0) part = part.flip(axis);
  }
  return uniform(random, 0, 1) == 0 ? part.transposed() : part;
}

inline RandomPair random_pair(Random& random, std::int64_t rank_max) {
  const std::size_t size_a = std::size_t{1} << uniform(random, 0, 4);
  const std::size_t size_b = uniform(random, 0, 3) == 0 ? std::size_t{1} << uniform(random, 0, 4) : size_a;
  constexpr std::uint64_t origin = RandomPair::origin;
  switch (uniform(random, 0, 3)) {
    case 0: {  // anything, at any byte
      tenure::Layout a = random_strides(random, rank_max, 1);
      tenure::Layout b = random_strides(random, rank_max, 1);
      return {std::move(a), std::move(b), origin, origin + random() % 256, size_a, size_b};
    }
    case 1: {  // two combs, whose teeth may pass each other
      const std::int64_t unit = uniform(random, 2, 6);
      tenure::Layout a = random_strides(random, rank_max, unit);
      tenure::Layout b = random_strides(random, rank_max, unit);
      return {std::move(a), std::move(b), origin, origin + size_a * (random() % 64), size_a, size_b};
    }
    default: {  // two parts of one tensor
      const auto whole = tenure::Layout::column_major(random_extents(random, uniform(random, 1, rank_max)));
      tenure::Layout a = random_part(random, whole);
      tenure::Layout b = random_part(random, whole);
      return {std::move(a), std::move(b), origin, origin, size_a, size_a};
    }
  }
}

}  // namespace tenure_test
