// SPDX-License-Identifier: Apache-2.0
#include "transpose_plan.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

using tenure::cpu::LoopNest;
using tenure::cpu::TransposePlan;

namespace {

// A copy into compact memory of a box whose axes lie in this order, fastest first.
LoopNest permutation(const std::vector<std::int64_t>& extents, const std::vector<std::size_t>& in_order) {
  std::vector<std::int64_t> in_strides(extents.size());
  std::int64_t stride = 1;
  for (const std::size_t axis : in_order) {
    in_strides[axis] = stride;
    stride *= extents[axis];
  }
  LoopNest nest(2);
  stride = 1;
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    nest.add_axis(extents[axis], {stride, in_strides[axis]});
    stride *= extents[axis];
  }
  nest.simplify();
  return nest;
}

constexpr std::int64_t item_bytes = 8;

// Every element of the target is written once, and from the right place.
void check_tiles(const LoopNest& nest, const TransposePlan& plan) {
  std::vector<std::int64_t> source(static_cast<std::size_t>(nest.element_count()), -1);
  const std::int64_t row = plan.row_items();
  for (std::int64_t position = 0; position < plan.tile_count(); ++position) {
    const TransposePlan::Tile tile = plan.tile(position);
    REQUIRE(tile.out_count * tile.in_count * row <= plan.items_per_tile());
    for (std::int64_t j = 0; j < tile.in_count; ++j) {
      for (std::int64_t i = 0; i < tile.out_count * row; ++i) {
        std::int64_t& place = source[static_cast<std::size_t>(tile.out_offset + plan.out_rows()[j] + i)];
        REQUIRE(place == -1);
        place = tile.in_offset + plan.in_rows()[i / row] + j * row + i % row;
      }
    }
  }
  for (std::int64_t position = 0; position < nest.element_count(); ++position) {
    REQUIRE(source[static_cast<std::size_t>(nest.offset(0, position))] == nest.offset(1, position));
  }
  const bool is_one_row = plan.items_per_tile() == row;
  CHECK((is_one_row || plan.items_per_tile() * item_bytes <= tenure::cpu::tile_bytes_max));
}

}  // namespace

TEST_CASE("TransposePlan: the tiles of random permutations cover the box once") {
  std::mt19937_64 random(1);
  int planned = 0;
  for (int round = 0; round < 400; ++round) {
    std::vector<std::int64_t> extents;
    const std::uint64_t rank = 2 + random() % 7;
    const std::uint64_t extent_max = rank < 4 ? 90 : rank < 6 ? 9 : 4;
    for (std::uint64_t axis = 0; axis < rank; ++axis)
      extents.push_back(static_cast<std::int64_t>(1 + random() % extent_max));
    std::vector<std::size_t> order(rank);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::shuffle(order, random);
    const LoopNest nest = permutation(extents, order);
    const auto plan = TransposePlan::make(nest, item_bytes);
    if (!plan) continue;
    ++planned;
    check_tiles(nest, *plan);
  }
  CHECK(planned > 200);
}

TEST_CASE("TransposePlan: many axes of two make tiles as large as two long axes do") {
  std::vector<std::size_t> reversed(16);
  std::iota(reversed.rbegin(), reversed.rend(), std::size_t{0});
  const LoopNest nest = permutation(std::vector<std::int64_t>(16, 2), reversed);
  const auto plan = TransposePlan::make(nest, item_bytes);
  REQUIRE(plan.has_value());
  CHECK(plan->items_per_tile() == 64 * 64);
  check_tiles(nest, *plan);
}

TEST_CASE("TransposePlan: pieces of the target that follow each other are one run") {
  const LoopNest nest = permutation({16, 16, 40}, {1, 2, 0});
  const auto plan = TransposePlan::make(nest, item_bytes);
  REQUIRE(plan.has_value());
  CHECK(plan->items_per_piece() == 16);
  CHECK(plan->items_per_run() == 16 * 64);
  check_tiles(nest, *plan);
}

TEST_CASE("TransposePlan: a short piece of the source is met by a long one of the target") {
  const LoopNest nest = permutation({5000, 3}, {1, 0});
  const auto plan = TransposePlan::make(nest, item_bytes);
  REQUIRE(plan.has_value());
  CHECK(plan->items_per_piece() > 1000);
  check_tiles(nest, *plan);
}

TEST_CASE("TransposePlan: rows are moved where both sides have the same fastest axis") {
  for (const std::int64_t row : {3, 16, 700, 9000}) {
    const LoopNest nest = permutation({row, 9, 10}, {0, 2, 1});
    const auto plan = TransposePlan::make(nest, item_bytes);
    REQUIRE(plan.has_value());
    CHECK(plan->row_items() == row);
    check_tiles(nest, *plan);
  }
}

TEST_CASE("TransposePlan: nothing where a side has no contiguous axis or the rows of the target have gaps") {
  LoopNest gaps(2);
  gaps.add_axis(8, {2, 9});
  gaps.add_axis(9, {16, 1});
  gaps.simplify();
  CHECK_FALSE(TransposePlan::make(gaps, item_bytes).has_value());
  LoopNest apart(2);
  apart.add_axis(8, {1, 1});
  apart.add_axis(9, {10, 8});
  apart.simplify();
  CHECK_FALSE(TransposePlan::make(apart, item_bytes).has_value());
  LoopNest line(2);
  line.add_axis(8, {1, 2});
  line.simplify();
  CHECK_FALSE(TransposePlan::make(line, item_bytes).has_value());
}
