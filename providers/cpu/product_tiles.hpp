// SPDX-License-Identifier: Apache-2.0
// product_tiles: how one product of matrices is divided between the threads of an executor.
#pragma once

#include <algorithm>
#include <cstdint>

#include "executor.hpp"
#include "tile_pack.hpp"

namespace tenure::cpu {

// Products side by side, each m x k times k x n; everything at least 1.
struct ProductShape {
  std::int64_t m, n, k;
  std::int64_t count;
};

// A grid of tiles over the m x n elements of a result, row by row of the grid's columns.
struct ProductTiles {
  std::int64_t m, n;
  std::int64_t tile_rows;
  std::int64_t tile_columns;
  std::int64_t tile_cost;  // at least 1

  std::int64_t grid_rows() const noexcept { return (m + tile_rows - 1) / tile_rows; }
  std::int64_t count() const noexcept { return grid_rows() * ((n + tile_columns - 1) / tile_columns); }

  // The same with sides of at most so many elements.
  ProductTiles cut(std::int64_t side_max) const noexcept {
    ProductTiles tiles = *this;
    tiles.tile_rows = std::min(tile_rows, side_max);
    tiles.tile_columns = std::min(tile_columns, side_max);
    tiles.tile_cost = std::max<std::int64_t>(
        1, tile_cost / tile_rows * tiles.tile_rows / tile_columns * tiles.tile_columns);
    return tiles;
  }

  Piece rows(std::int64_t tile) const noexcept {
    const std::int64_t begin = tile % grid_rows() * tile_rows;
    return {begin, std::min(tile_rows, m - begin)};
  }
  Piece columns(std::int64_t tile) const noexcept {
    const std::int64_t begin = tile / grid_rows() * tile_columns;
    return {begin, std::min(tile_columns, n - begin)};
  }
};

// As few tiles as give every thread the same work, where the work is worth threads; one tile for an item that
// has one thread by the batch policy. `products_per_cost` multiply-adds cost 1 of tile_cost. The tiles have
// no part in the bits of a product.
ProductTiles choose_tiles(const Executor& executor, const ProductShape& shape,
                          std::int64_t products_per_cost) noexcept;

}  // namespace tenure::cpu
