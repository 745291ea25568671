// SPDX-License-Identifier: Apache-2.0
#include "tenure/sdk/box.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <set>
#include <vector>

namespace sdk = tenure::sdk;

namespace {

struct OwnedBox {
  std::vector<std::int64_t> extents;
  std::vector<std::int64_t> strides;
  std::uint32_t element_bytes = 1;

  sdk::Box get() const {
    return {extents.data(), strides.data(), static_cast<std::uint32_t>(extents.size()), element_bytes};
  }
};

// Every byte that a box touches, relative to index (0, 0, ...).
std::set<std::int64_t> touched_bytes(const OwnedBox& box) {
  std::set<std::int64_t> starts{0};
  for (std::size_t axis = 0; axis < box.extents.size(); ++axis) {
    std::set<std::int64_t> next;
    for (const std::int64_t start : starts) {
      for (std::int64_t i = 0; i < box.extents[axis]; ++i) next.insert(start + i * box.strides[axis]);
    }
    starts = next;
  }
  std::set<std::int64_t> bytes;
  for (const std::int64_t start : starts) {
    for (std::uint32_t b = 0; b < box.element_bytes; ++b) bytes.insert(start * box.element_bytes + b);
  }
  return bytes;
}

OwnedBox random_box(std::mt19937_64& random, std::vector<std::int64_t> extents, std::uint32_t element_bytes) {
  OwnedBox box{std::move(extents), {}, element_bytes};
  std::uniform_int_distribution<std::int64_t> stride(-9, 9);
  for (std::size_t axis = 0; axis < box.extents.size(); ++axis) box.strides.push_back(stride(random));
  return box;
}

}  // namespace

TEST_CASE("find_byte_range: the range is exactly from the first to the last byte touched") {
  std::mt19937_64 random(11);
  for (int round = 0; round < 2000; ++round) {
    std::vector<std::int64_t> extents(random() % 4);
    for (auto& extent : extents) extent = static_cast<std::int64_t>(1 + random() % 4);
    const OwnedBox box = random_box(random, extents, 1 + static_cast<std::uint32_t>(random() % 4));
    const auto bytes = touched_bytes(box);

    sdk::ByteRange range;
    REQUIRE(sdk::find_byte_range(box.get(), range));
    REQUIRE(range.first == *bytes.begin());
    REQUIRE(range.end == *bytes.rbegin() + 1);
  }
}

TEST_CASE("find_byte_range: what no memory can hold is refused") {
  sdk::ByteRange range;
  CHECK_FALSE(sdk::find_byte_range(OwnedBox{{INT64_MAX}, {1}, 8}.get(), range));
  CHECK_FALSE(sdk::find_byte_range(OwnedBox{{2}, {INT64_MIN}, 1}.get(), range));
  CHECK_FALSE(sdk::find_byte_range(OwnedBox{{2, 2, 2}, {1LL << 60, 1LL << 60, 1LL << 60}, 1}.get(), range));
  CHECK(sdk::find_byte_range(OwnedBox{{2}, {1LL << 40}, 16}.get(), range));
}

TEST_CASE("make_compact_strides: the first axis is the fastest and unit axes cost nothing") {
  const std::vector<std::int64_t> extents{3, 1, 4, 2};
  std::vector<std::int64_t> strides(4);
  REQUIRE(sdk::make_compact_strides(extents.data(), 4, strides.data()));
  CHECK(strides == std::vector<std::int64_t>{1, 3, 3, 12});

  const std::vector<std::int64_t> large{INT64_MAX, 2};
  CHECK_FALSE(sdk::make_compact_strides(large.data(), 2, strides.data()));
}

TEST_CASE("proven_disjoint: agrees with counting the bytes of random pairs of boxes") {
  std::mt19937_64 random(12);
  int disjoint = 0;
  for (int round = 0; round < 4000; ++round) {
    std::vector<std::int64_t> extents(random() % 4);
    for (auto& extent : extents) extent = static_cast<std::int64_t>(1 + random() % 4);
    const auto element_bytes = 1 + static_cast<std::uint32_t>(random() % 5);
    const OwnedBox first = random_box(random, extents, element_bytes);
    const OwnedBox second = random_box(random, extents, element_bytes);
    const auto distance = static_cast<std::int64_t>(random() % 81) - 40;

    const auto first_bytes = touched_bytes(first);
    bool is_shared = false;
    for (const std::int64_t byte : touched_bytes(second)) {
      is_shared = is_shared || first_bytes.contains(byte + distance);
    }
    REQUIRE(sdk::proven_disjoint(first.get(), second.get(), distance) == !is_shared);
    disjoint += is_shared ? 0 : 1;
  }
  CHECK(disjoint > 400);
  CHECK(disjoint < 3600);
}

TEST_CASE("proven_disjoint: the two rows of a column-major matrix share nothing") {
  const OwnedBox row{{1000}, {2}, 8};
  CHECK(sdk::proven_disjoint(row.get(), row.get(), 8));
  CHECK_FALSE(sdk::proven_disjoint(row.get(), row.get(), 16));
  CHECK_FALSE(sdk::proven_disjoint(row.get(), row.get(), 7));
}

TEST_CASE("proven_disjoint: interleaved boxes of rank 6 are decided") {
  const OwnedBox box{{4, 4, 4, 4, 4, 4}, {2, 8, 32, 128, 512, 2048}, 4};
  CHECK(sdk::proven_disjoint(box.get(), box.get(), 4));
  CHECK_FALSE(sdk::proven_disjoint(box.get(), box.get(), 8));
}

TEST_CASE("proven_disjoint: the stride of an axis of extent 1 may be any number") {
  const OwnedBox box{{1, 4}, {INT64_MIN, 2}, 4};
  CHECK(sdk::proven_disjoint(box.get(), box.get(), 4));
  CHECK_FALSE(sdk::proven_disjoint(box.get(), box.get(), 8));
}
