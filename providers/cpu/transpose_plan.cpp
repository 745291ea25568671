// SPDX-License-Identifier: Apache-2.0
#include "transpose_plan.hpp"

#include <algorithm>
#include <cstdlib>

namespace tenure::cpu {
namespace {

constexpr int out_side = 0;
constexpr int in_side = 1;

// The largest power of two whose square holds no more rows than a tile.
std::int64_t piece_rows_for(std::int64_t row_bytes) noexcept {
  std::int64_t rows = 1;
  while (4 * rows * rows * row_bytes <= tile_bytes_max) rows *= 2;
  return rows;
}

int find_axis(const LoopNest& nest, int side, std::int64_t stride, const std::vector<bool>& is_taken) {
  for (int axis = 0; axis < nest.rank(); ++axis) {
    if (!is_taken[static_cast<std::size_t>(axis)] && nest.stride(side, axis) == stride) return axis;
  }
  return -1;
}

}  // namespace

void TransposePlan::Piece::append(std::int64_t extent, std::int64_t stride) {
  const std::size_t before = offsets.size();
  for (std::int64_t i = 1; i < extent; ++i) {
    for (std::size_t item = 0; item < before; ++item) offsets.push_back(offsets[item] + i * stride);
  }
}

std::optional<TransposePlan> TransposePlan::make(const LoopNest& nest, std::int64_t item_bytes) {
  if (nest.rank() < 2 || nest.stride(out_side, 0) != 1) return std::nullopt;
  TransposePlan plan;
  std::vector<bool> is_taken(static_cast<std::size_t>(nest.rank()), false);
  int out_axis = 0;
  if (nest.stride(in_side, 0) == 1) {
    plan.row_items_ = nest.extent(0);
    is_taken[0] = true;
    out_axis = 1;
  }
  const int in_axis = find_axis(nest, in_side, plan.row_items_, is_taken);
  const bool has_columns = in_axis > out_axis;
  if (nest.stride(out_side, out_axis) != plan.row_items_ || (out_axis == 0 && !has_columns)) {
    return std::nullopt;
  }
  const std::int64_t row_bytes = plan.row_items_ * item_bytes;
  const std::int64_t rows_max = piece_rows_for(row_bytes);
  // A short piece of the source leaves room for a longer one of the target.
  is_taken[static_cast<std::size_t>(out_axis)] = true;
  if (has_columns) plan.in_piece_ = plan.make_piece(nest, in_side, in_axis, rows_max, is_taken);
  const std::int64_t fitting = tile_bytes_max / (row_bytes * plan.in_piece_.count());
  plan.out_piece_ = plan.make_piece(nest, out_side, out_axis, std::max(rows_max, fitting), is_taken);
  plan.add_outer_axes(nest, is_taken);
  return plan;
}

TransposePlan::Piece TransposePlan::make_piece(const LoopNest& nest, int side, int first_axis,
                                               std::int64_t rows_max, std::vector<bool>& is_taken) const {
  const int other_side = side == out_side ? in_side : out_side;
  Piece piece;
  for (int axis = first_axis; axis >= 0;
       axis = find_axis(nest, side, piece.whole_count * row_items_, is_taken)) {
    is_taken[static_cast<std::size_t>(axis)] = true;
    const std::int64_t extent = nest.extent(axis);
    if (piece.whole_count * extent > rows_max) {
      piece.split_axis = axis;
      piece.split_count = rows_max / piece.whole_count;
      piece.append(piece.split_count, nest.stride(other_side, axis));
      break;
    }
    piece.append(extent, nest.stride(other_side, axis));
    piece.whole_count *= extent;
  }
  return piece;
}

// What lies near on either side comes first, so that the pages that a tile touches are used by the next ones.
void TransposePlan::add_outer_axes(const LoopNest& nest, const std::vector<bool>& is_taken) {
  for (int axis = 0; axis < nest.rank(); ++axis) {
    const std::int64_t extent = nest.extent(axis);
    std::int64_t chunk = 1;
    if (axis == out_piece_.split_axis) {
      chunk = out_piece_.split_count;
      out_split_extent_ = extent;
    } else if (axis == in_piece_.split_axis) {
      chunk = in_piece_.split_count;
      in_split_extent_ = extent;
    } else if (is_taken[static_cast<std::size_t>(axis)]) {
      continue;
    }
    outer_.push_back({(extent + chunk - 1) / chunk, chunk * nest.stride(in_side, axis),
                      chunk * nest.stride(out_side, axis), axis});
  }
  std::ranges::stable_sort(outer_, {}, [](const OuterAxis& axis) {
    return std::min(std::abs(axis.in_step), std::abs(axis.out_step));
  });
}

std::int64_t TransposePlan::items_per_run() const noexcept {
  const std::int64_t piece = items_per_piece();
  std::int64_t run = piece;
  for (std::size_t j = 1; j < in_piece_.offsets.size() && in_piece_.offsets[j] == run; ++j) run += piece;
  return run;
}

std::int64_t TransposePlan::tile_count() const noexcept {
  std::int64_t count = 1;
  for (const OuterAxis& axis : outer_) count *= axis.count;
  return count;
}

std::int64_t TransposePlan::count_at(const Piece& piece, const OuterAxis& axis, std::int64_t index,
                                     std::int64_t extent) noexcept {
  if (axis.nest_axis != piece.split_axis) return piece.count();
  return piece.whole_count * std::min(piece.split_count, extent - index * piece.split_count);
}

TransposePlan::Tile TransposePlan::tile(std::int64_t position) const noexcept {
  Tile tile{0, 0, out_piece_.count(), in_piece_.count()};
  for (const OuterAxis& axis : outer_) {
    const std::int64_t index = position % axis.count;
    position /= axis.count;
    tile.in_offset += index * axis.in_step;
    tile.out_offset += index * axis.out_step;
    tile.out_count = std::min(tile.out_count, count_at(out_piece_, axis, index, out_split_extent_));
    tile.in_count = std::min(tile.in_count, count_at(in_piece_, axis, index, in_split_extent_));
  }
  return tile;
}

}  // namespace tenure::cpu
