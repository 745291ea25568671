// SPDX-License-Identifier: Apache-2.0
#include "layout/strided_copy.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <numeric>
#include <vector>

#include "random_layout.hpp"

using tenure::Layout;
using tenure_test::Numbers;
using tenure_test::Random;
using tenure_test::uniform;

namespace {

constexpr std::uint64_t seed = 20240605;

using Bytes = std::vector<std::byte>;

Bytes random_bytes(Random& random, std::size_t count) {
  Bytes bytes(count);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

// The layout moved so that its lowest element is `lowest`.
Layout from_lowest(const Layout& layout, std::int64_t lowest) {
  if (layout.is_empty()) return layout;
  return Layout::strided(layout.extents(), layout.strides(),
                         layout.offset() - layout.reach()->lowest + lowest);
}

// An injective layout: compact in some order of the axes, some of them walked backwards, with or without
// gaps.
Layout random_target(Random& random, const Numbers& extents) {
  Numbers order(extents.size());
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  Numbers strides(extents.size());
  std::int64_t stride = uniform(random, 1, 2);
  for (const std::int64_t axis : order) {
    strides[static_cast<std::size_t>(axis)] = uniform(random, 0, 3) == 0 ? -stride : stride;
    const std::int64_t extent = extents[static_cast<std::size_t>(axis)];
    stride *= extent == 1 ? 1 : extent + uniform(random, 0, 1);
  }
  return Layout::strided(extents, strides);
}

Layout random_source(Random& random, const Numbers& extents) {
  if (uniform(random, 0, 1) == 0) return random_target(random, extents);
  Numbers strides = tenure_test::random_numbers(random, static_cast<std::int64_t>(extents.size()), -30, 30);
  for (std::int64_t& stride : strides) {
    if (uniform(random, 0, 4) == 0) stride = 0;
  }
  return Layout::strided(extents, strides);
}

// Copies with strided_copy and element by element, over equal backgrounds, at any alignment.
void require_same_copy(Random& random, const Layout& target, const Layout& source,
                       std::size_t element_bytes) {
  const auto shift = static_cast<std::size_t>(uniform(random, 0, 3));
  const Bytes from = random_bytes(random, source.required_bytes(element_bytes) + shift);
  const Bytes background = random_bytes(random, target.required_bytes(element_bytes) + shift);
  Bytes expected = background;
  tenure_test::for_each_index(tenure_test::extents_of(target), [&](const Numbers& index) {
    std::memcpy(expected.data() + shift + static_cast<std::size_t>(target.element_at(index)) * element_bytes,
                from.data() + shift + static_cast<std::size_t>(source.element_at(index)) * element_bytes,
                element_bytes);
  });
  Bytes found = background;
  strided_copy(found.data() + shift, target, from.data() + shift, source, element_bytes);
  REQUIRE((found == expected));
}

}  // namespace

TEST_CASE("strided_copy: random layouts are copied like element by element, nothing else is written") {
  MESSAGE("seed " << seed);
  Random random(seed);
  for (int round = 0; round < 8000; ++round) {
    Numbers extents = tenure_test::random_numbers(random, uniform(random, 0, 5), 1, 5);
    if (!extents.empty() && uniform(random, 0, 30) == 0) extents[0] = 0;
    const Layout target = from_lowest(random_target(random, extents), uniform(random, 0, 5));
    const Layout source = from_lowest(random_source(random, extents), uniform(random, 0, 5));
    require_same_copy(random, target, source, std::size_t{1} << uniform(random, 0, 4));
  }
}

TEST_CASE("strided_copy: transposes larger than a tile are copied at every item size") {
  Random random(seed + 1);
  for (const std::size_t element_bytes : {1u, 2u, 4u, 8u, 16u}) {
    for (int round = 0; round < 12; ++round) {
      const std::int64_t rank = uniform(random, 2, 3);
      const Numbers extents = tenure_test::random_numbers(random, rank, 1, rank == 2 ? 140 : 40);
      const Layout target = Layout::column_major(extents);
      const Layout source = from_lowest(random_target(random, extents), 0);
      require_same_copy(random, target, source, element_bytes);
      require_same_copy(random, source, target, element_bytes);
    }
  }
}

TEST_CASE("strided_copy: rank 64 is copied, with axes that fuse and axes that do not") {
  Random random(seed + 2);
  for (int round = 0; round < 50; ++round) {
    Numbers extents(64, 1);
    for (int axis = 0; axis < 10; ++axis) extents[static_cast<std::size_t>(uniform(random, 0, 63))] = 2;
    const Layout target = from_lowest(random_target(random, extents), 0);
    const Layout source = from_lowest(random_target(random, extents), 0);
    require_same_copy(random, target, source, 4);
  }
}

TEST_CASE("strided_copy: null addresses are fine without elements") {
  const Layout empty = Layout::column_major({3, 0});
  strided_copy(nullptr, empty, nullptr, empty, 8);
}
