// SPDX-License-Identifier: Apache-2.0
#include "transpose_plan.hpp"

#include <algorithm>

namespace tenure::cpu {
namespace {

constexpr int out_side = 0;
constexpr int in_side = 1;

// Rows of a tile: with 8-byte items, both sides of a tile fit the first-level cache together.
constexpr std::int64_t piece_items_max = 64;

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

std::optional<TransposePlan> TransposePlan::make(const LoopNest& nest) {
  std::vector<bool> is_taken(static_cast<std::size_t>(nest.rank()), false);
  const int in_axis = find_axis(nest, in_side, 1, is_taken);
  if (in_axis <= 0 || nest.stride(out_side, 0) != 1) return std::nullopt;

  TransposePlan plan;
  is_taken[static_cast<std::size_t>(in_axis)] = true;
  plan.out_piece_ = plan.make_piece(nest, out_side, 0, is_taken);
  plan.in_piece_ = plan.make_piece(nest, in_side, in_axis, is_taken);
  plan.add_outer_axes(nest, is_taken);
  return plan;
}

TransposePlan::Piece TransposePlan::make_piece(const LoopNest& nest, int side, int first_axis,
                                               std::vector<bool>& is_taken) const {
  const int other_side = side == out_side ? in_side : out_side;
  Piece piece;
  for (int axis = first_axis; axis >= 0; axis = find_axis(nest, side, piece.whole_count, is_taken)) {
    is_taken[static_cast<std::size_t>(axis)] = true;
    const std::int64_t extent = nest.extent(axis);
    if (piece.whole_count * extent > piece_items_max) {
      piece.split_axis = axis;
      piece.split_count = piece_items_max / piece.whole_count;
      piece.append(piece.split_count, nest.stride(other_side, axis));
      break;
    }
    piece.append(extent, nest.stride(other_side, axis));
    piece.whole_count *= extent;
  }
  return piece;
}

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
