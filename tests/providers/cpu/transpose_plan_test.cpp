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

// Every element of the target is written once, and from the right place.
void check_tiles(const LoopNest& nest, const TransposePlan& plan) {
  std::vector<std::int64_t> source(static_cast<std::size_t>(nest.element_count()), -1);
  for (std::int64_t position = 0; position < plan.tile_count(); ++position) {
    const TransposePlan::Tile tile = plan.tile(position);
    REQUIRE(tile.out_count * tile.in_count <= plan.items_per_tile());
    for (std::int64_t j = 0; j < tile.in_count; ++j) {
      for (std::int64_t i = 0; i < tile.out_count; ++i) {
        std::int64_t& place = source[static_cast<std::size_t>(tile.out_offset + plan.out_rows()[j] + i)];
        REQUIRE(place == -1);
        place = tile.in_offset + plan.in_rows()[i] + j;
      }
    }
  }
  for (std::int64_t position = 0; position < nest.element_count(); ++position) {
    REQUIRE(source[static_cast<std::size_t>(nest.offset(0, position))] == nest.offset(1, position));
  }
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
    const auto plan = TransposePlan::make(nest);
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
  const auto plan = TransposePlan::make(nest);
  REQUIRE(plan.has_value());
  CHECK(plan->items_per_tile() == 64 * 64);
  check_tiles(nest, *plan);
}

TEST_CASE("TransposePlan: nothing where both sides have the same fastest axis, or one has none") {
  const std::vector<std::int64_t> extents{8, 9, 10};
  CHECK_FALSE(TransposePlan::make(permutation(extents, {0, 2, 1})).has_value());
  LoopNest gaps(2);
  gaps.add_axis(8, {2, 9});
  gaps.add_axis(9, {16, 1});
  gaps.simplify();
  CHECK_FALSE(TransposePlan::make(gaps).has_value());
}
