// SPDX-License-Identifier: Apache-2.0
#include "tenure/sdk/strided_copy.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <random>
#include <vector>

namespace sdk = tenure::sdk;

namespace {

// Strides under which no two indices share an element: a random order of axes, gaps and directions. The
// offset makes the lowest element the first of the buffer, whose length in elements is `reach`.
struct Placement {
  std::vector<std::int64_t> strides;
  std::int64_t offset = 0;
  std::int64_t reach = 1;
};

Placement random_placement(std::mt19937_64& random, const std::vector<std::int64_t>& extents) {
  Placement place{std::vector<std::int64_t>(extents.size()), 0, 1};
  std::vector<std::size_t> order(extents.size());
  std::iota(order.begin(), order.end(), 0u);
  std::shuffle(order.begin(), order.end(), random);
  for (const std::size_t axis : order) {
    const std::int64_t step = place.reach + static_cast<std::int64_t>(random() % 3 == 0);
    const std::int64_t span = step * std::max<std::int64_t>(extents[axis] - 1, 0);
    place.strides[axis] = random() % 2 == 0 ? step : -step;
    if (place.strides[axis] < 0) place.offset += span;
    place.reach += span;
  }
  return place;
}

void copy_by_index(const sdk::BoxCopy& copy, std::uint32_t axis, std::int64_t target, std::int64_t source) {
  if (axis == copy.rank) {
    std::memcpy(static_cast<std::byte*>(copy.target) + target * copy.element_bytes,
                static_cast<const std::byte*>(copy.source) + source * copy.element_bytes, copy.element_bytes);
    return;
  }
  for (std::int64_t i = 0; i < copy.extents[axis]; ++i) {
    copy_by_index(copy, axis + 1, target + i * copy.target_strides[axis],
                  source + i * copy.source_strides[axis]);
  }
}

}  // namespace

TEST_CASE("copy_box: agrees with a loop over every index and writes nothing else") {
  std::mt19937_64 random(21);
  for (int round = 0; round < 3000; ++round) {
    std::vector<std::int64_t> extents(random() % 6);
    for (auto& extent : extents) extent = static_cast<std::int64_t>(random() % 8 == 0 ? 0 : 1 + random() % 4);
    const auto element_bytes = static_cast<std::uint32_t>(1 + random() % 17);
    const Placement target_place = random_placement(random, extents);
    const Placement source_place = random_placement(random, extents);

    const auto bytes_of = [&](const Placement& place) {
      return static_cast<std::size_t>(place.reach) * element_bytes;
    };
    std::vector<std::byte> source(bytes_of(source_place));
    for (auto& byte : source) byte = static_cast<std::byte>(random());
    std::vector<std::byte> found(bytes_of(target_place), std::byte{0xA5});
    std::vector<std::byte> expected = found;

    sdk::BoxCopy copy{.target = found.data() + target_place.offset * element_bytes,
                      .source = source.data() + source_place.offset * element_bytes,
                      .extents = extents.data(),
                      .target_strides = target_place.strides.data(),
                      .source_strides = source_place.strides.data(),
                      .rank = static_cast<std::uint32_t>(extents.size()),
                      .element_bytes = element_bytes};
    sdk::copy_box(copy);
    copy.target = expected.data() + target_place.offset * element_bytes;
    copy_by_index(copy, 0, 0, 0);
    REQUIRE(found == expected);
  }
}

TEST_CASE("copy_box: a broadcast source repeats its element") {
  const std::vector<std::int64_t> extents{3, 2}, target_strides{1, 3}, source_strides{0, 1};
  const std::vector<std::int32_t> source{7, 8};
  std::vector<std::int32_t> target(6);
  sdk::copy_box(
      {target.data(), source.data(), extents.data(), target_strides.data(), source_strides.data(), 2, 4});
  CHECK(target == std::vector<std::int32_t>{7, 7, 7, 8, 8, 8});
}

TEST_CASE("copy_box: rank 64 is copied") {
  std::vector<std::int64_t> extents(64, 1), strides(64, 1);
  extents[63] = 5;
  const std::vector<std::int16_t> source{1, 2, 3, 4, 5};
  std::vector<std::int16_t> target(5);
  sdk::copy_box({target.data(), source.data(), extents.data(), strides.data(), strides.data(), 64, 2});
  CHECK(target == source);
}

TEST_CASE("CopyAxes: axes that both ends walk as one line become one") {
  const std::vector<std::int64_t> extents{4, 1, 5, 6}, strides{1, 99, 4, 20};
  const sdk::CopyAxes axes({nullptr, nullptr, extents.data(), strides.data(), strides.data(), 4, 8});
  CHECK(axes.count() == 1);
  CHECK(axes[0].extent == 120);
  CHECK(axes[0].target_step == 8);
}

TEST_CASE("fill_bytes: repeats each pattern over any length and writes nothing else") {
  const std::vector<std::byte> pattern{std::byte{1},  std::byte{2},  std::byte{3},  std::byte{4},
                                       std::byte{5},  std::byte{6},  std::byte{7},  std::byte{8},
                                       std::byte{9},  std::byte{10}, std::byte{11}, std::byte{12},
                                       std::byte{13}, std::byte{14}, std::byte{15}, std::byte{16}};
  for (const std::uint32_t pattern_bytes : {1u, 2u, 4u, 8u, 16u}) {
    for (const std::size_t count : {0u, 1u, 2u, 3u, 255u, 256u, 257u, 5000u}) {
      const std::size_t bytes = count * pattern_bytes;
      std::vector<std::byte> target(bytes + 1, std::byte{0xA5});
      sdk::fill_bytes(target.data(), bytes, pattern.data(), pattern_bytes);
      for (std::size_t i = 0; i < bytes; ++i) REQUIRE(target[i] == pattern[i % pattern_bytes]);
      REQUIRE(target[bytes] == std::byte{0xA5});
    }
  }
}
