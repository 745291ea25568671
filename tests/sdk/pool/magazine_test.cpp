// SPDX-License-Identifier: Apache-2.0
#include "tenure/sdk/pool/magazine.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <limits>

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
constexpr std::uint64_t plenty_bytes = std::numeric_limits<std::uint64_t>::max();

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
  magazine.allow(plenty_bytes);
  TestBlock first(512), second(512), other(1024);
  REQUIRE(magazine.push(&first));
  REQUIRE(magazine.push(&second));
  REQUIRE(magazine.push(&other));
  CHECK(magazine.idle_count() == 3);
  CHECK(magazine.idle_bytes() == 2048);
  CHECK(magazine.pop(size_class_of(512), 0) == &second);
  CHECK(magazine.pop(size_class_of(512), 0) == &first);
  CHECK(magazine.pop(size_class_of(512), 0) == nullptr);
  CHECK(magazine.pop(size_class_of(1024), 512) == nullptr);
  CHECK(magazine.pop(size_class_of(1024), 256) == &other);
  CHECK(magazine.idle_bytes() == 0);
}

TEST_CASE("Magazine: nothing is pushed beyond the allowance") {
  TestMagazine magazine;
  TestBlock first(512), second(512);
  CHECK_FALSE(magazine.push(&first));
  magazine.allow(1000);
  CHECK(magazine.push(&first));
  CHECK(magazine.shortage_bytes(512) == 24);
  CHECK_FALSE(magazine.push(&second));
  CHECK(magazine.take_unused_allowance() == 488);
  magazine.allow(512);
  CHECK(magazine.push(&second));
  CHECK(magazine.take_unused_allowance() == 0);
}

TEST_CASE("Magazine: it holds 32 MiB, and of an absent class one block more") {
  TestMagazine magazine;
  magazine.allow(plenty_bytes);
  TestBlock half(16 * mebibyte), small(64);
  REQUIRE(magazine.push(&half));
  REQUIRE(magazine.push(&half));
  CHECK(magazine.room(small.size_class, 64) == 0);
  CHECK(magazine.push(&small));
  CHECK_FALSE(magazine.push(&small));
  CHECK_FALSE(magazine.is_full(small.size_class));
  TestBlock huge(4096 * mebibyte);
  CHECK(magazine.push(&huge));
  CHECK(magazine.is_full(huge.size_class));
}

TEST_CASE("Magazine: the oldest blocks leave with their allowance and the others keep their order") {
  TestMagazine magazine;
  magazine.allow(4 * 512);
  std::array<TestBlock, 4> blocks{TestBlock(512), TestBlock(512), TestBlock(512), TestBlock(512)};
  for (TestBlock& block : blocks) REQUIRE(magazine.push(&block));
  std::array<TestBlock*, 2> taken{};
  CHECK(magazine.take_oldest(size_class_of(512), taken) == 2);
  CHECK(taken == std::array{&blocks[0], &blocks[1]});
  CHECK(magazine.idle_bytes() == 1024);
  CHECK(magazine.take_unused_allowance() == 0);
  CHECK(magazine.pop(size_class_of(512), 0) == &blocks[3]);
  CHECK(magazine.pop(size_class_of(512), 0) == &blocks[2]);
  CHECK(magazine.take_oldest(size_class_of(512), taken) == 0);
}
