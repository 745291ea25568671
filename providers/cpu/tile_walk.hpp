// SPDX-License-Identifier: Apache-2.0
// tile_walk: the order in which an elementwise program visits its tiles.
#pragma once

#include <algorithm>
#include <cstdint>

namespace tenure::cpu {

// Rows of equal length are cut into pieces, and neighbouring rows are taken together, so that an operand
// whose memory runs across the rows is read in whole cache lines.
struct TileWalk {
  std::int64_t row_elements = 1;
  std::int64_t row_count = 1;      // of all
  std::int64_t rows_in_plane = 1;  // rows that may be taken together; divides row_count
  std::int64_t rows_in_block = 1;
  std::int64_t tile_elements = 1;

  // Tiles of `elements` at the same place of `rows` neighbouring rows; the first begins at a position.
  struct Block {
    std::int64_t position;
    std::int64_t elements;
    std::int64_t rows;
  };

  std::int64_t block_count() const noexcept {
    return row_count / rows_in_plane * blocks_in_plane() * pieces();
  }

  Block block(std::int64_t number) const noexcept {
    const std::int64_t first = number % pieces() * tile_elements;
    const std::int64_t group = number / pieces() % blocks_in_plane() * rows_in_block;
    const std::int64_t plane = number / pieces() / blocks_in_plane();
    return {(plane * rows_in_plane + group) * row_elements + first,
            std::min(tile_elements, row_elements - first), std::min(rows_in_block, rows_in_plane - group)};
  }

 private:
  std::int64_t pieces() const noexcept { return (row_elements + tile_elements - 1) / tile_elements; }
  std::int64_t blocks_in_plane() const noexcept {
    return (rows_in_plane + rows_in_block - 1) / rows_in_block;
  }
};

}  // namespace tenure::cpu
