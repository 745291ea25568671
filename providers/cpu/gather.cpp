// SPDX-License-Identifier: Apache-2.0
#include "gather.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string>
#include <string_view>

#include "loop_nest.hpp"
#include "tenure/sdk/error.hpp"

namespace tenure::cpu {
namespace {

const std::int64_t* indices_at(const Operand& indices, std::int64_t offset) noexcept {
  return reinterpret_cast<const std::int64_t*>(indices.address) + offset;
}

// The extents of all operands are equal, but for one of them on the axis.
void require_shape(std::string_view name, std::uint32_t axis, const Operand& indexed, const Operand& indices,
                   const Operand& other) {
  bool is_right = axis < indices.extents.size() && indexed.extents.size() == indices.extents.size() &&
                  std::ranges::equal(indices.extents, other.extents);
  for (std::size_t i = 0; is_right && i < indices.extents.size(); ++i) {
    is_right = i == axis || indexed.extents[i] == indices.extents[i];
  }
  if (is_right) return;
  throw sdk::Error(TENURE_INVALID_ARGUMENT, std::string(name) +
                                                ": operands must have equal extents, but for " +
                                                "those of the indexed one on an axis that exists");
}

[[noreturn]] void throw_out_of_range(std::string_view name, std::uint32_t axis, std::int64_t extent,
                                     const Operand& indices) {
  LoopNest all(1);
  for (std::size_t i = 0; i < indices.extents.size(); ++i)
    all.add_axis(indices.extents[i], {indices.strides[i]});
  std::int64_t position = 0;
  const auto index_at = [&](std::int64_t i) { return *indices_at(indices, all.offset(0, i)); };
  while (static_cast<std::uint64_t>(index_at(position)) < static_cast<std::uint64_t>(extent)) ++position;
  std::string place;
  std::int64_t rest = position;
  for (const std::int64_t axis_extent : indices.extents) {
    place += (place.empty() ? "" : ", ") + std::to_string(rest % axis_extent);
    rest /= axis_extent;
  }
  throw sdk::Error(TENURE_INVALID_ARGUMENT, std::string(name) + ": the index at [" + place + "] is " +
                                                std::to_string(index_at(position)) +
                                                ", which is not one of axis " + std::to_string(axis) +
                                                " of extent " + std::to_string(extent));
}

void require_in_range(const Executor& executor, std::string_view name, std::uint32_t axis,
                      std::int64_t extent, const Operand& indices) {
  LoopNest nest(1);
  for (std::size_t i = 0; i < indices.extents.size(); ++i) {
    // Repeated indices are looked at once.
    if (indices.strides[i] != 0) nest.add_axis(indices.extents[i], {indices.strides[i]});
  }
  nest.simplify();
  const std::int64_t* const first = indices_at(indices, nest.start(0));
  const std::int64_t run = nest.rank() == 0 ? 1 : nest.extent(0);
  const std::int64_t stride = nest.rank() == 0 ? 0 : nest.stride(0, 0);
  std::atomic<bool> is_in_range{true};
  const Division work = divide_work(executor, nest.element_count(), 1);
  for_each_task(executor, work, [&](std::int64_t begin, std::int64_t end) {
    bool all_in_range = true;
    for (std::int64_t i = begin; i < end;) {
      const std::int64_t count = std::min(run - i % run, end - i);
      const std::int64_t* const line = first + nest.offset(0, i);
      for (std::int64_t k = 0; k < count; ++k) {
        all_in_range &= static_cast<std::uint64_t>(line[k * stride]) < static_cast<std::uint64_t>(extent);
      }
      i += count;
    }
    if (!all_in_range) is_in_range.store(false, std::memory_order_relaxed);
  });
  if (!is_in_range.load(std::memory_order_relaxed)) throw_out_of_range(name, axis, extent, indices);
}

// A walk over out, in and indices, in this order.
struct Walk {
  const Operand& out;
  const Operand& in;
  const Operand& indices;
  LoopNest nest{3};

  std::byte* out_at(std::int64_t offset) const noexcept {
    return out.address + (nest.start(0) + offset) * out.element_bytes();
  }
  const std::byte* in_at(std::int64_t offset) const noexcept {
    return in.address + (nest.start(1) + offset) * in.element_bytes();
  }
  const std::int64_t* index_at(std::int64_t offset) const noexcept {
    return indices_at(indices, nest.start(2) + offset);
  }
  Plane plane(int operand) const noexcept {
    return {nest.rank() > 0 ? nest.stride(operand, 0) : 0, nest.rank() > 1 ? nest.stride(operand, 1) : 0};
  }
};

}  // namespace

void run_gather(const Executor& executor, std::uint32_t axis, const Operand& in, const Operand& indices,
                const Operand& out) {
  if (!is_index(indices.abi_dtype()) || in.dtype != out.dtype) {
    const Operand operands[] = {in, indices, out};
    refuse_dtypes("gather", operands);
  }
  require_shape("gather", axis, in, indices, out);
  if (element_count(out.extents) == 0) return;
  require_in_range(executor, "gather", axis, in.extents[axis], indices);
  Walk walk{out, in, indices};
  for (std::size_t i = 0; i < out.extents.size(); ++i) {
    walk.nest.add_axis(out.extents[i], {out.strides[i], i == axis ? 0 : in.strides[i], indices.strides[i]});
  }
  walk.nest.simplify();
  const LoopNest& nest = walk.nest;
  const IndexedKernel kernel =
      executor.kernels.index->gather[item_index(static_cast<std::size_t>(out.element_bytes()))];
  const std::int64_t n0 = nest.rank() > 0 ? nest.extent(0) : 1;
  // A single line is cut, others are taken whole, planes of them at a time.
  const bool is_line = nest.rank() < 2;
  const std::int64_t n1 = is_line ? 1 : nest.extent(1);
  const Division work =
      is_line ? divide_work(executor, n0, 1) : divide_work(executor, nest.element_count() / n0, n0);
  for_each_task(executor, work, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end;) {
      const std::int64_t count = is_line ? end - i : std::min(n1 - i % n1, end - i);
      const int first_axis = is_line ? 0 : 1;
      kernel(walk.in_at(nest.offset(1, i, first_axis)), walk.plane(1),
             walk.out_at(nest.offset(0, i, first_axis)), walk.plane(0),
             walk.index_at(nest.offset(2, i, first_axis)), walk.plane(2), in.strides[axis],
             is_line ? count : n0, is_line ? 1 : count);
      i += count;
    }
  });
}

void run_scatter(const Executor& executor, std::uint32_t axis, const Operand& indices, const Operand& updates,
                 const Operand& out) {
  if (!is_index(indices.abi_dtype()) || updates.dtype != out.dtype) {
    const Operand operands[] = {indices, updates, out};
    refuse_dtypes("scatter", operands);
  }
  require_shape("scatter", axis, out, indices, updates);
  if (element_count(updates.extents) == 0) return;
  require_in_range(executor, "scatter", axis, out.extents[axis], indices);
  // Updates of one element differ along the axis alone: other axes may be divided among threads, and this one
  // is walked forwards for each of their places.
  Walk walk{out, updates, indices};
  for (std::size_t i = 0; i < out.extents.size(); ++i) {
    if (i != axis) {
      walk.nest.add_axis(updates.extents[i], {out.strides[i], updates.strides[i], indices.strides[i]});
    }
  }
  walk.nest.simplify();
  const LoopNest& nest = walk.nest;
  const IndexedKernel kernel =
      executor.kernels.index->scatter[item_index(static_cast<std::size_t>(out.element_bytes()))];
  const std::int64_t along = updates.extents[axis];
  const std::int64_t n0 = nest.rank() > 0 ? nest.extent(0) : 1;
  // Whichever of the two lies closer together in the updates is the inner loop.
  const bool is_axis_inner = n0 == 1 || std::abs(updates.strides[axis]) < std::abs(nest.stride(1, 0));
  const auto plane = [&](int operand, std::int64_t axis_stride) {
    const std::int64_t stride = walk.plane(operand).stride0;
    return is_axis_inner ? Plane{axis_stride, stride} : Plane{stride, axis_stride};
  };
  const Division work = divide_work(executor, nest.element_count(), along);
  for_each_task(executor, work, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end;) {
      const std::int64_t count = std::min(n0 - i % n0, end - i);
      kernel(walk.in_at(nest.offset(1, i)), plane(1, updates.strides[axis]), walk.out_at(nest.offset(0, i)),
             plane(0, 0), walk.index_at(nest.offset(2, i)), plane(2, indices.strides[axis]),
             out.strides[axis], is_axis_inner ? along : count, is_axis_inner ? count : along);
      i += count;
    }
  });
}

}  // namespace tenure::cpu
