// SPDX-License-Identifier: Apache-2.0
#include "tenure/sdk/pool/magazine.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <vector>

using namespace tenure::sdk::pool;

namespace {

struct TestBlock {
  explicit TestBlock(std::uint64_t bytes)
      : capacity_bytes(bytes),
        alignment_bytes(size_class_alignment_bytes(size_class_of(bytes))),
        size_class(size_class_of(bytes)) {}
  std::uint64_t capacity_bytes;
  std::uint64_t alignment_bytes;
  SizeClass size_class;
};

using TestMagazine = Magazine<TestBlock>;

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;
// Allows as many blocks as there may be of each class.
void allow_all(TestMagazine& magazine, std::initializer_list<SizeClass> classes) {
  for (const SizeClass c : classes) magazine.allow(c, magazine.allowable(c));
}

}  // namespace

TEST_CASE("magazine_slots: at most 16 blocks and 32 MiB of a class, and always one block") {
  for (SizeClass c = 0; c < size_class_count; ++c) {
    const std::uint64_t slots = magazine_slots(c);
    REQUIRE(slots >= 1);
    REQUIRE(slots <= 16);
    if (slots > 1) REQUIRE(slots * size_class_bytes(c) <= 32 * mebibyte);
  }
  CHECK(magazine_slots(size_class_of(2 * mebibyte)) == 16);
  CHECK(magazine_slots(size_class_of(1024 * mebibyte)) == 1);
}

TEST_CASE("Magazine: the last block pushed is popped first, each class apart") {
  TestMagazine magazine;
  TestBlock first(512), second(512), other(1024);
  allow_all(magazine, {first.size_class, other.size_class});
  REQUIRE(magazine.push(&first));
  REQUIRE(magazine.push(&second));
  REQUIRE(magazine.push(&other));
  CHECK(magazine.depth(first.size_class) == 2);
  CHECK(magazine.depth(other.size_class) == 1);
  CHECK(magazine.pop(first.size_class) == &second);
  CHECK(magazine.pop(first.size_class) == &first);
  CHECK(magazine.pop(first.size_class) == nullptr);
  CHECK(magazine.pop_aligned(other.size_class, 512) == nullptr);
  CHECK(magazine.pop_aligned(other.size_class, 256) == &other);
  CHECK(magazine.pop_aligned(other.size_class, 256) == nullptr);
}

TEST_CASE("Magazine: every class has its own slots, from the first to the last") {
  TestMagazine magazine;
  std::vector<TestBlock> blocks;
  blocks.reserve(size_class_count);
  for (SizeClass c = 0; c < size_class_count; ++c) blocks.emplace_back(size_class_bytes(c));
  for (SizeClass c = 0; c < size_class_count; ++c) {
    magazine.allow(c, magazine_slots(c));
    for (std::uint32_t i = 0; i < magazine_slots(c); ++i) REQUIRE(magazine.push(&blocks[c]));
    REQUIRE(magazine.is_full(c));
    REQUIRE_FALSE(magazine.push(&blocks[c]));
  }
  for (SizeClass c = 0; c < size_class_count; ++c) {
    for (std::uint32_t i = 0; i < magazine_slots(c); ++i) REQUIRE(magazine.pop(c) == &blocks[c]);
    REQUIRE(magazine.pop(c) == nullptr);
  }
}

TEST_CASE("Magazine: nothing is pushed beyond the allowance of its class") {
  TestMagazine magazine;
  TestBlock first(512), second(512), other(1024);
  const SizeClass size_class = first.size_class;
  CHECK_FALSE(magazine.push(&first));
  magazine.allow(size_class, 2);
  CHECK(magazine.allowed_bytes() == 1024);
  CHECK(magazine.push(&first));
  CHECK_FALSE(magazine.push(&other));
  CHECK(magazine.unused(size_class) == 1);
  CHECK(magazine.has_unused_allowance());
  CHECK(magazine.take_unused_allowance() == 512);
  CHECK_FALSE(magazine.has_unused_allowance());
  CHECK_FALSE(magazine.push(&second));
  magazine.allow(size_class, 1);
  CHECK(magazine.push(&second));
  CHECK(magazine.take_unused_allowance() == 0);
  CHECK(magazine.allowed_bytes() == 1024);
}

TEST_CASE("Magazine: all allowances are for 32 MiB, and each class may have one for a single block") {
  TestMagazine magazine;
  TestBlock half(16 * mebibyte), small(64), huge(4096 * mebibyte);
  CHECK(magazine.allowable(half.size_class) == 2);
  CHECK(magazine.allowable(small.size_class) == 16);
  magazine.allow(half.size_class, 2);
  CHECK(magazine.allowable(half.size_class) == 0);
  CHECK(magazine.allowable(small.size_class) == 1);
  magazine.allow(small.size_class, 1);
  CHECK(magazine.push(&small));
  CHECK(magazine.allowable(small.size_class) == 0);
  CHECK(magazine.allowable(huge.size_class) == 1);
  magazine.allow(huge.size_class, 1);
  CHECK(magazine.push(&huge));
  CHECK(magazine.is_full(huge.size_class));
}

TEST_CASE("Magazine: the oldest blocks leave with their allowance and the others keep their order") {
  TestMagazine magazine;
  std::array<TestBlock, 4> blocks{TestBlock(512), TestBlock(512), TestBlock(512), TestBlock(512)};
  const SizeClass size_class = blocks[0].size_class;
  magazine.allow(size_class, 4);
  for (TestBlock& block : blocks) REQUIRE(magazine.push(&block));
  std::array<TestBlock*, 2> taken{};
  CHECK(magazine.take_oldest(size_class, taken) == 2);
  CHECK(taken == std::array{&blocks[0], &blocks[1]});
  CHECK(magazine.depth(size_class) == 2);
  CHECK(magazine.allowed_bytes() == 1024);
  CHECK(magazine.take_unused_allowance() == 0);
  CHECK(magazine.pop(size_class) == &blocks[3]);
  CHECK(magazine.pop(size_class) == &blocks[2]);
  CHECK(magazine.take_oldest(size_class, taken) == 0);
}
