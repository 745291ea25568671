// SPDX-License-Identifier: Apache-2.0
#include "tile_walk.hpp"

#include <doctest/doctest.h>

#include <vector>

using tenure::cpu::TileWalk;

TEST_CASE("TileWalk: the tiles of any rows, planes and blocks cover every position once") {
  for (const std::int64_t row_elements : {1, 7, 64, 130}) {
    for (const std::int64_t rows_in_plane : {1, 3, 16, 17}) {
      for (const std::int64_t planes : {1, 4}) {
        for (const std::int64_t rows_in_block : {1, 2, 16}) {
          for (const std::int64_t tile_elements : {1, 50, 64, 1000}) {
            const TileWalk walk{.row_elements = row_elements,
                                .row_count = rows_in_plane * planes,
                                .rows_in_plane = rows_in_plane,
                                .rows_in_block = rows_in_block,
                                .tile_elements = tile_elements};
            std::vector<int> visits(static_cast<std::size_t>(row_elements * walk.row_count), 0);
            for (std::int64_t number = 0; number < walk.block_count(); ++number) {
              const TileWalk::Block block = walk.block(number);
              REQUIRE(block.rows >= 1);
              REQUIRE(block.rows <= rows_in_block);
              REQUIRE(block.elements <= tile_elements);
              for (std::int64_t row = 0; row < block.rows; ++row) {
                for (std::int64_t i = 0; i < block.elements; ++i) {
                  ++visits[static_cast<std::size_t>(block.position + row * row_elements + i)];
                }
              }
            }
            for (const int count : visits) REQUIRE(count == 1);
          }
        }
      }
    }
  }
}
