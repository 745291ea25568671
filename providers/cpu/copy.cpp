// SPDX-License-Identifier: Apache-2.0
#include "copy.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

#include "tenure/abi/checked_math.hpp"
#include "transpose_plan.hpp"

namespace tenure::cpu {
namespace {

constexpr int out_side = 0;
constexpr int in_side = 1;

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
  for_each_task(executor, divide_work(executor, nest.extent(0), 1),
                [&](std::int64_t begin, std::int64_t end) {
                  std::byte* const out = items.out_at(begin * out_stride);
                  const std::byte* const in = items.in_at(begin * in_stride);
                  if (out_stride == 1 && in_stride == 1) {
                    std::memmove(out, in, static_cast<std::size_t>((end - begin) * items.bytes));
                  } else {
                    kernel(in, {in_stride, 0}, out, {out_stride, 0}, end - begin, 1);
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

void copy_tiles(const Executor& executor, const TransposePlan& plan, const Items& items) {
  const TransposeKernel kernel = executor.kernels.copy->transpose[items.index()];
  const Division tiles = divide_work(executor, plan.tile_count(), plan.items_per_tile());
  for_each_task(executor, tiles, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t position = begin; position < end; ++position) {
      const TransposePlan::Tile tile = plan.tile(position);
      kernel(items.in_at(tile.in_offset), plan.in_rows(), items.out_at(tile.out_offset), plan.out_rows(),
             tile.out_count, tile.in_count);
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
  } else if (nest.rank() == 1) {
    copy_line(executor, nest, items);
  } else if (const std::optional<TransposePlan> plan = TransposePlan::make(nest)) {
    copy_tiles(executor, *plan, items);
  } else {
    copy_planes(executor, nest, items);
  }
}

}  // namespace tenure::cpu
