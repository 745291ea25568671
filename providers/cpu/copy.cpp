// SPDX-License-Identifier: Apache-2.0
#include "copy.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "streaming.hpp"
#include "tenure/abi/checked_math.hpp"
#include "transpose_plan.hpp"

namespace tenure::cpu {
namespace {

constexpr int out_side = 0;
constexpr int in_side = 1;

// Shorter runs would mostly be ends of lines.
constexpr std::int64_t streamed_run_bytes_min = 256;
// Shorter rows are put together first.
constexpr std::int64_t streamed_row_bytes_min = 1024;
static_assert(streamed_row_bytes_min <= tile_bytes_max);

struct Items {
  std::byte* out;
  const std::byte* in;
  std::int64_t bytes;  // of one item

  std::byte* out_at(std::int64_t offset) const noexcept { return out + offset * bytes; }
  const std::byte* in_at(std::int64_t offset) const noexcept { return in + offset * bytes; }
  std::size_t index() const noexcept { return item_index(static_cast<std::size_t>(bytes)); }
};

// Whether the innermost axis can be moved as one larger item each time.
bool can_widen(const LoopNest& nest, const Items& items) noexcept {
  if (nest.rank() < 2 || nest.stride(out_side, 0) != 1 || nest.stride(in_side, 0) != 1) return false;
  const std::int64_t extent = nest.extent(0);
  const std::int64_t bytes = items.bytes * extent;
  if (bytes > 16 || !abi::is_power_of_two(static_cast<std::uint64_t>(bytes))) return false;
  for (int axis = 1; axis < nest.rank(); ++axis) {
    if (nest.stride(out_side, axis) % extent != 0 || nest.stride(in_side, axis) % extent != 0) return false;
  }
  const auto alignment = static_cast<std::uintptr_t>(std::min<std::int64_t>(bytes, 8));
  return (reinterpret_cast<std::uintptr_t>(items.out) | reinterpret_cast<std::uintptr_t>(items.in)) %
             alignment ==
         0;
}

void widen(LoopNest& nest, Items& items) {
  const std::int64_t extent = nest.extent(0);
  LoopNest wide(2);
  for (int axis = 1; axis < nest.rank(); ++axis) {
    wide.add_axis(nest.extent(axis),
                  {nest.stride(out_side, axis) / extent, nest.stride(in_side, axis) / extent});
  }
  wide.fuse();
  nest = wide;
  items.bytes *= extent;
}

// One axis.
void copy_line(const Executor& executor, const LoopNest& nest, const Items& items) {
  const std::int64_t out_stride = nest.stride(out_side, 0);
  const std::int64_t in_stride = nest.stride(in_side, 0);
  const PlaneKernel kernel = executor.kernels.copy->plane[items.index()];
  const auto copy = [&](std::int64_t begin, std::int64_t count, std::byte* out) {
    if (out_stride == 1 && in_stride == 1) {
      std::memmove(out, items.in_at(begin), static_cast<std::size_t>(count * items.bytes));
    } else {
      kernel(items.in_at(begin * in_stride), {in_stride, 0}, out, {out_stride, 0}, count, 1);
    }
  };
  const bool is_streaming =
      out_stride == 1 && items.in != items.out && executor.streams(nest.extent(0) * items.bytes);
  for_each_task(executor, divide_work(executor, nest.extent(0), 1, 64),
                [&](std::int64_t begin, std::int64_t end) {
                  if (is_streaming && in_stride == 1) {
                    const StreamFence fence;
                    constexpr std::int64_t one_row[] = {0};
                    executor.kernels.copy->stream(items.in_at(begin), 0, items.out_at(begin), one_row,
                                                  items.bytes, 1, (end - begin) * items.bytes);
                  } else if (is_streaming) {
                    stream_pieces(executor, items.out, items.bytes, begin, end, copy);
                  } else {
                    copy(begin, end - begin, items.out_at(begin * out_stride));
                  }
                });
}

// Lines along the first axis, planes of them at a time.
void copy_planes(const Executor& executor, const LoopNest& nest, const Items& items) {
  const std::int64_t n0 = nest.extent(0);
  const std::int64_t n1 = nest.extent(1);
  const Plane out_plane{nest.stride(out_side, 0), nest.stride(out_side, 1)};
  const Plane in_plane{nest.stride(in_side, 0), nest.stride(in_side, 1)};
  const PlaneKernel kernel = executor.kernels.copy->plane[items.index()];
  const Division lines = divide_work(executor, nest.element_count() / n0, n0);
  for_each_task(executor, lines, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t line = begin; line < end;) {
      const std::int64_t count = std::min(n1 - line % n1, end - line);
      kernel(items.in_at(nest.offset(in_side, line, 1)), in_plane,
             items.out_at(nest.offset(out_side, line, 1)), out_plane, n0, count);
      line += count;
    }
  });
}

// Tiles of a transposition.
class TileCopy {
 public:
  TileCopy(const Executor& executor, const TransposePlan& plan, const Items& items)
      : kernels_(*executor.kernels.copy), plan_(plan), items_(items) {}

  void copy(std::int64_t begin, std::int64_t end) const {
    for (std::int64_t position = begin; position < end; ++position) {
      const TransposePlan::Tile tile = plan_.tile(position);
      move(tile, items_.out_at(tile.out_offset), plan_.out_rows());
    }
  }

  void stream(std::int64_t begin, std::int64_t end) const {
    const StreamFence fence;
    if (row_bytes() >= streamed_row_bytes_min) {
      for (std::int64_t position = begin; position < end; ++position) stream_rows(plan_.tile(position));
    } else {
      stream_tiles(begin, end);
    }
  }

 private:
  std::int64_t row_bytes() const noexcept { return plan_.row_items() * items_.bytes; }

  void move(const TransposePlan::Tile& tile, std::byte* out, const std::int64_t* out_rows) const {
    const std::byte* const in = items_.in_at(tile.in_offset);
    if (plan_.row_items() == 1) {
      kernels_.transpose[items_.index()](in, plan_.in_rows(), out, out_rows, tile.out_count, tile.in_count);
    } else {
      kernels_.transpose_rows(in, plan_.in_rows(), out, out_rows, tile.out_count, tile.in_count, items_.bytes,
                              row_bytes());
    }
  }

  void stream_rows(const TransposePlan::Tile& tile) const {
    for (std::int64_t i = 0; i < tile.out_count; ++i) {
      for (std::int64_t j = 0; j < tile.in_count; ++j) {
        kernels_.stream(items_.in_at(tile.in_offset + plan_.in_rows()[i] + j * plan_.row_items()), 0,
                        items_.out_at(tile.out_offset + i * plan_.row_items()), plan_.out_rows() + j,
                        items_.bytes, 1, row_bytes());
      }
    }
  }

  // By way of scratch that stays in the first-level cache.
  void stream_tiles(std::int64_t begin, std::int64_t end) const {
    alignas(64) std::byte scratch[tile_bytes_max];
    const std::int64_t piece = plan_.items_per_piece();
    std::vector<std::int64_t> scratch_rows(static_cast<std::size_t>(plan_.items_per_tile() / piece));
    for (std::size_t j = 0; j < scratch_rows.size(); ++j) {
      scratch_rows[j] = static_cast<std::int64_t>(j) * piece;
    }
    for (std::int64_t position = begin; position < end; ++position) {
      const TransposePlan::Tile tile = plan_.tile(position);
      move(tile, scratch, scratch_rows.data());
      kernels_.stream(scratch, piece * items_.bytes, items_.out_at(tile.out_offset), plan_.out_rows(),
                      items_.bytes, tile.in_count, tile.out_count * row_bytes());
    }
  }

  const CopyTable& kernels_;
  const TransposePlan& plan_;
  const Items& items_;
};

void copy_tiles(const Executor& executor, const TransposePlan& plan, const LoopNest& nest,
                const Items& items) {
  const TileCopy tiles(executor, plan, items);
  const bool is_streaming = items.in != items.out && executor.streams(nest.element_count() * items.bytes) &&
                            plan.items_per_run() * items.bytes >= streamed_run_bytes_min;
  const Division division = divide_work(executor, plan.tile_count(), plan.items_per_tile());
  for_each_task(executor, division, [&](std::int64_t begin, std::int64_t end) {
    if (is_streaming) {
      tiles.stream(begin, end);
    } else {
      tiles.copy(begin, end);
    }
  });
}

}  // namespace

void copy_box(const Executor& executor, const BoxCopy& copy) {
  LoopNest nest(2);
  for (std::size_t axis = 0; axis < copy.extents.size(); ++axis) {
    nest.add_axis(copy.extents[axis], {copy.out_strides[axis], copy.in_strides[axis]});
  }
  if (nest.element_count() == 0) return;
  nest.simplify();
  Items items{copy.out, copy.in, copy.item_bytes};
  items.out = items.out_at(nest.start(out_side));
  items.in = items.in_at(nest.start(in_side));
  if (can_widen(nest, items)) widen(nest, items);

  if (nest.rank() == 0) {
    std::memmove(items.out, items.in, static_cast<std::size_t>(items.bytes));
    return;
  }
  if (nest.rank() == 1) return copy_line(executor, nest, items);
  // A plan is worth its making where lines meet across, or where the whole is larger than a tile.
  const bool is_across = nest.stride(in_side, 0) != 1;
  if (is_across || nest.element_count() * items.bytes > tile_bytes_max) {
    if (const std::optional<TransposePlan> plan = TransposePlan::make(nest, items.bytes)) {
      return copy_tiles(executor, *plan, nest, items);
    }
  }
  copy_planes(executor, nest, items);
}

}  // namespace tenure::cpu
