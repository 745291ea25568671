// SPDX-License-Identifier: Apache-2.0
#include "loop_nest.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

using tenure::cpu::LoopNest;

namespace {

// The offsets of all operands at each position of the walk, sorted.
std::vector<std::vector<std::int64_t>> visited(const LoopNest& nest, int operand_count) {
  std::vector<std::vector<std::int64_t>> all;
  for (std::int64_t position = 0; position < nest.element_count(); ++position) {
    std::vector<std::int64_t> offsets;
    for (int operand = 0; operand < operand_count; ++operand) {
      offsets.push_back(nest.start(operand) + nest.offset(operand, position));
    }
    all.push_back(offsets);
  }
  std::ranges::sort(all);
  return all;
}

}  // namespace

TEST_CASE("LoopNest: compact axes fuse into one") {
  LoopNest nest(2);
  nest.add_axis(3, {1, 1});
  nest.add_axis(1, {77, -5});
  nest.add_axis(4, {3, 3});
  nest.add_axis(5, {12, 12});
  nest.simplify();
  REQUIRE(nest.rank() == 1);
  CHECK(nest.extent(0) == 60);
  CHECK(nest.is_contiguous(0));
  CHECK(nest.is_contiguous(1));
  CHECK_FALSE(nest.is_constant(0));
}

TEST_CASE("LoopNest: axes fuse only where every operand agrees") {
  LoopNest nest(2);
  nest.add_axis(3, {1, 0});
  nest.add_axis(4, {3, 1});
  nest.simplify();
  CHECK(nest.rank() == 2);
  CHECK(nest.is_contiguous(0));
  CHECK_FALSE(nest.is_contiguous(1));
}

TEST_CASE("LoopNest: the first operand is walked forwards, its smallest stride innermost") {
  LoopNest nest(2);
  nest.add_axis(4, {-3, 1});
  nest.add_axis(3, {1, 4});
  nest.simplify();
  REQUIRE(nest.rank() == 2);
  CHECK(nest.stride(0, 0) == 1);
  CHECK(nest.stride(0, 1) == 3);
  CHECK(nest.stride(1, 1) == -1);
  CHECK(nest.start(0) == -9);
  CHECK(nest.start(1) == 3);
}

TEST_CASE("LoopNest: fusing alone keeps the order of the elements") {
  LoopNest nest(1);
  nest.add_axis(2, {10});
  nest.add_axis(3, {20});
  nest.add_axis(4, {1});
  nest.fuse();
  REQUIRE(nest.rank() == 2);
  CHECK(nest.extent(0) == 6);
  CHECK(nest.offset(0, 5) == 50);
  CHECK(nest.offset(0, 6) == 1);
}

TEST_CASE("LoopNest: an axis may be moved forwards and the others keep their order") {
  LoopNest nest(1);
  nest.add_axis(2, {1});
  nest.add_axis(3, {10});
  nest.add_axis(4, {100});
  nest.add_axis(5, {1000});
  nest.move_axis(3, 1);
  CHECK(nest.stride(0, 0) == 1);
  CHECK(nest.stride(0, 1) == 1000);
  CHECK(nest.stride(0, 2) == 10);
  CHECK(nest.stride(0, 3) == 100);
  CHECK(nest.extent(1) == 5);
  nest.move_axis(1, 1);
  CHECK(nest.extent(1) == 5);
}

TEST_CASE("LoopNest: a rank of 0 has one element, an extent of 0 none") {
  LoopNest nest(1);
  nest.simplify();
  CHECK(nest.rank() == 0);
  CHECK(nest.element_count() == 1);
  CHECK(nest.is_contiguous(0));
  LoopNest empty(1);
  empty.add_axis(3, {1});
  empty.add_axis(0, {3});
  empty.simplify();
  CHECK(empty.element_count() == 0);
}

TEST_CASE("LoopNest: simplifying visits the same elements together") {
  std::mt19937_64 random(1);
  for (int round = 0; round < 300; ++round) {
    LoopNest plain(3);
    const std::uint64_t rank = random() % 6;
    for (std::uint64_t axis = 0; axis < rank; ++axis) {
      const auto stride = [&] { return static_cast<std::int64_t>(random() % 13) - 4; };
      plain.add_axis(static_cast<std::int64_t>(random() % 4) + 1, {stride(), stride(), stride()});
    }
    LoopNest simple = plain;
    simple.simplify();
    CHECK(simple.rank() <= plain.rank());
    REQUIRE(visited(plain, 3) == visited(simple, 3));
  }
}
