// SPDX-License-Identifier: Apache-2.0
// transpose_plan: the tiles of a copy whose two sides have different fastest axes.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "loop_nest.hpp"

namespace tenure::cpu {

// Bytes of a tile at most: it stays in the first-level cache. A row of its own may be longer.
inline constexpr std::int64_t tile_bytes_max = 32768;

// Cuts the box into tiles that are contiguous pieces of the target by contiguous pieces of the source. A
// piece may span several axes, so that many tiny axes make tiles as large as two long ones do. Where both
// sides have the same fastest axis, the lines along it, rows, are what is transposed instead of items.
// Operand 0 of the nest is the target, operand 1 the source.
class TransposePlan {
 public:
  // A tile: row (i, j) of row_items() items goes from in[in_offset + in_rows[i] + j * row_items()] to
  // out[out_offset + out_rows[j] + i * row_items()].
  struct Tile {
    std::int64_t in_offset;
    std::int64_t out_offset;
    std::int64_t out_count;  // i
    std::int64_t in_count;   // j
  };

  // Nothing when the nest is not simplified, or has no contiguous axis on one of the sides.
  static std::optional<TransposePlan> make(const LoopNest& nest, std::int64_t item_bytes);

  std::int64_t tile_count() const noexcept;
  Tile tile(std::int64_t position) const noexcept;
  std::int64_t row_items() const noexcept { return row_items_; }
  // Of whole tiles.
  std::int64_t items_per_piece() const noexcept { return out_piece_.count() * row_items_; }
  std::int64_t items_per_tile() const noexcept { return items_per_piece() * in_piece_.count(); }
  // Items of a whole tile that lie one after the other in the target, which may be several pieces.
  std::int64_t items_per_run() const noexcept;
  const std::int64_t* in_rows() const noexcept { return out_piece_.offsets.data(); }
  const std::int64_t* out_rows() const noexcept { return in_piece_.offsets.data(); }

 private:
  // Contiguous on one side: some whole axes and a part of one more.
  struct Piece {
    std::int64_t whole_count = 1;          // rows of the whole axes
    int split_axis = -1;                   // -1: none
    std::int64_t split_count = 1;          // indices of the split axis in one piece
    std::vector<std::int64_t> offsets{0};  // of each row, on the other side

    std::int64_t count() const noexcept { return whole_count * split_count; }
    void append(std::int64_t extent, std::int64_t stride);
  };
  // An axis that tiles are counted along.
  struct OuterAxis {
    std::int64_t count;
    std::int64_t in_step;
    std::int64_t out_step;
    int nest_axis;
  };

  TransposePlan() = default;
  Piece make_piece(const LoopNest& nest, int side, int first_axis, std::int64_t rows_max,
                   std::vector<bool>& is_taken) const;
  void add_outer_axes(const LoopNest& nest, const std::vector<bool>& is_taken);
  static std::int64_t count_at(const Piece& piece, const OuterAxis& axis, std::int64_t index,
                               std::int64_t extent) noexcept;

  std::int64_t row_items_ = 1;
  Piece out_piece_;
  Piece in_piece_;
  std::vector<OuterAxis> outer_;
  std::int64_t out_split_extent_ = 0;
  std::int64_t in_split_extent_ = 0;
};

}  // namespace tenure::cpu
