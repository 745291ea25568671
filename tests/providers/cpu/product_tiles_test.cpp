// SPDX-License-Identifier: Apache-2.0
#include "product_tiles.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

using namespace tenure::cpu;

namespace {

constexpr KernelSet no_kernels{};
constexpr std::int64_t products_per_cost = 16;
constexpr std::uint64_t never_streams = std::uint64_t{1} << 62;

}  // namespace

TEST_CASE("ProductTiles: every element of the result belongs to one tile") {
  ParallelFor threads(3);
  const Executor executor{no_kernels, &threads, never_streams};
  for (const ProductShape shape : {ProductShape{259, 211, 758, 1}, ProductShape{1030, 17, 900, 1},
                                   ProductShape{5, 3000, 4000, 1}, ProductShape{130, 128, 127, 4}}) {
    const ProductTiles tiles = choose_tiles(executor, shape, products_per_cost);
    std::vector<int> owners(static_cast<std::size_t>(shape.m * shape.n));
    for (std::int64_t tile = 0; tile < tiles.count(); ++tile) {
      const Piece rows = tiles.rows(tile);
      const Piece columns = tiles.columns(tile);
      for (std::int64_t j = columns.begin; j < columns.begin + columns.count; ++j) {
        for (std::int64_t i = rows.begin; i < rows.begin + rows.count; ++i)
          ++owners[static_cast<std::size_t>(i + j * shape.m)];
      }
    }
    CHECK(owners == std::vector<int>(owners.size(), 1));
  }
}

TEST_CASE("ProductTiles: a large product gives every thread the same work") {
  ParallelFor threads(2);
  const Executor executor{no_kernels, &threads, never_streams};
  const ProductTiles square = choose_tiles(executor, {1024, 1024, 1024, 1}, products_per_cost);
  CHECK(square.count() % 2 == 0);
  CHECK(1024 % square.tile_rows == 0);
  CHECK(1024 % square.tile_columns == 0);
  CHECK(square.tile_cost == square.tile_rows * square.tile_columns * 1024 / products_per_cost);
  const ProductTiles cut = square.cut(128);
  CHECK(cut.count() == 64);
  CHECK(cut.tile_cost == 128 * 128 * 1024 / products_per_cost);
  // Many items are shared whole.
  CHECK(choose_tiles(executor, {256, 256, 256, 64}, products_per_cost).count() == 1);
  // A single odd one is shared too.
  CHECK(choose_tiles(executor, {256, 256, 256, 3}, products_per_cost).count() > 1);
}

TEST_CASE("ProductTiles: work that is not worth threads, or has one by policy, is one tile") {
  ParallelFor threads(2);
  Executor executor{no_kernels, &threads, never_streams};
  CHECK(choose_tiles(executor, {64, 64, 64, 1}, products_per_cost).count() == 1);
  executor.batch_policy = TENURE_BATCH_INNER;
  CHECK(choose_tiles(executor, {64, 64, 64, 1}, products_per_cost).count() > 1);
  CHECK(choose_tiles(executor, {8, 8, 640, 1}, products_per_cost).count() == 1);
  for (const std::uint32_t policy : {TENURE_BATCH_SEQUENTIAL, TENURE_BATCH_OUTER}) {
    executor.batch_policy = policy;
    CHECK(choose_tiles(executor, {2048, 2048, 2048, 2}, products_per_cost).count() == 1);
  }
  const Executor serial{no_kernels, nullptr, never_streams};
  CHECK(choose_tiles(serial, {2048, 2048, 2048, 1}, products_per_cost).count() == 1);
}
