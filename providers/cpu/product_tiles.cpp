// SPDX-License-Identifier: Apache-2.0
#include "product_tiles.hpp"

#include <limits>

#include "tenure/provider_engine.h"

namespace tenure::cpu {
namespace {

// Sides of tiles are multiples of this, so that they fill registers.
constexpr std::int64_t side_granule = 16;

// Measured: what packing an element of a factor costs, in multiply-adds, and what a tile costs beside them.
constexpr std::int64_t products_per_packed = 8;
constexpr std::int64_t products_per_tile = 65536;

// More tiles for each thread would make up for less than they cost.
constexpr std::int64_t tiles_per_thread_max = 4;

std::int64_t side_of(std::int64_t extent, std::int64_t tiles) noexcept {
  const std::int64_t side = (extent + tiles - 1) / tiles;
  return std::min(extent, (side + side_granule - 1) / side_granule * side_granule);
}

// Multiply-adds that the busiest thread does, packing counted.
std::int64_t busiest(const ProductShape& shape, const ProductTiles& tiles, std::int64_t threads) noexcept {
  const std::int64_t rounds = (shape.count * tiles.count() + threads - 1) / threads;
  const std::int64_t packed = (tiles.tile_rows + tiles.tile_columns) * products_per_packed;
  return rounds * ((tiles.tile_rows * tiles.tile_columns + packed) * shape.k + products_per_tile);
}

}  // namespace

ProductTiles choose_tiles(const Executor& executor, const ProductShape& shape,
                          std::int64_t products_per_cost) noexcept {
  ProductTiles best{shape.m, shape.n, shape.m, shape.n, 1};
  const auto set_cost = [&](ProductTiles& tiles) {
    tiles.tile_cost =
        std::max<std::int64_t>(1, tiles.tile_rows * tiles.tile_columns * shape.k / products_per_cost);
  };
  set_cost(best);
  const bool is_inner = executor.batch_policy == TENURE_BATCH_INNER;
  const bool is_divided = is_inner || executor.batch_policy == TENURE_BATCH_AUTO;
  if (executor.parallel == nullptr || !is_divided) return best;
  const std::int64_t items = is_inner ? 1 : shape.count;
  if (!is_inner && items * best.tile_cost < parallel_cost_min) return best;
  const std::int64_t threads = executor.parallel->width();
  const ProductShape shared{shape.m, shape.n, shape.k, items};
  // A forced division has two tiles at least, where there are any.
  std::int64_t least = is_inner ? std::numeric_limits<std::int64_t>::max() : busiest(shared, best, threads);
  const std::int64_t tiles_max = threads * tiles_per_thread_max;
  for (std::int64_t row_tiles = 1; row_tiles <= tiles_max; ++row_tiles) {
    for (std::int64_t column_tiles = 1; row_tiles * column_tiles <= tiles_max; ++column_tiles) {
      ProductTiles tiles{shape.m, shape.n, side_of(shape.m, row_tiles), side_of(shape.n, column_tiles), 1};
      const std::int64_t cost = busiest(shared, tiles, threads);
      if (tiles.count() < 2 || cost >= least) continue;
      least = cost;
      best = tiles;
      set_cost(best);
    }
  }
  return best;
}

}  // namespace tenure::cpu
