// SPDX-License-Identifier: Apache-2.0
#include "reduce.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <string>

#include "reduce_plan.hpp"
#include "tenure/abi/operation_table.hpp"
#include "tenure/sdk/error.hpp"

namespace tenure::cpu {
namespace {

// Blocks of one line that a tile takes at once, a power of two; and lines, where each has one.
constexpr std::int64_t tile_blocks_max = 16;
constexpr std::int64_t tile_lines_max = 64;

// Columns that a tile takes at once: so many that memory is read in long runs, as few as leave their lanes in
// the second-level cache. With fewer than the least, runs would be short.
constexpr std::int64_t tile_columns_max = 4096;
constexpr std::int64_t tile_columns_min = 512;

// Lines up to this length are turned and combined side by side, since one alone is too short for a loop.
constexpr std::int64_t short_line_elements_max = 16;

// The widest accumulator.
constexpr std::int64_t accumulator_bytes_max = 16;

// What one task combines blocks in: for each column its lanes and its accumulator.
class ReduceScratch {
 public:
  explicit ReduceScratch(std::int64_t columns) {
    if (columns > tile_lines_max)
      more_ = std::make_unique_for_overwrite<Column[]>(static_cast<std::size_t>(columns));
    Column* const first = more_ == nullptr ? columns_ : more_.get();
    lanes_ = first->bytes;
    accumulators_ = lanes_ + columns * reduce_lane_bytes;
  }

  std::byte* lanes() const noexcept { return lanes_; }
  std::byte* accumulators() const noexcept { return accumulators_; }

 private:
  struct alignas(reduce_lane_bytes) Column {
    std::byte bytes[2 * reduce_lane_bytes];
  };
  static_assert(reduce_lane_bytes + accumulator_bytes_max <= sizeof(Column));

  Column columns_[tile_lines_max];
  std::unique_ptr<Column[]> more_;
  std::byte* lanes_;
  std::byte* accumulators_;
};

class Reduction {
 public:
  Reduction(const Executor& executor, const ReduceKernels& kernels, const ReducePlan& plan, const Operand& in,
            const Operand& out)
      : executor_(executor),
        kernels_(kernels),
        plan_(plan),
        in_(in),
        out_(out),
        accumulator_bytes_(kernels.accumulator_bytes) {
    const LoopNest& lines = plan.lines();
    const bool has_rows = lines.rank() != 0;
    const bool is_contiguous = plan.leading().rank() != 0 && plan.leading().is_contiguous(0);
    is_column_wise_ = !is_contiguous && has_rows && lines.stride(0, 0) == 1 && lines.extent(0) >= 4;
    is_row_wise_ = !is_column_wise_ && plan.leading().is_contiguous(0);
    row_count_ = has_rows ? lines.element_count() / lines.extent(0) : 1;
    // Whole lines one after the other where they are contiguous, neighbouring lines side by side otherwise.
    if (is_row_wise_) depth_ = std::min(plan.blocks_per_line(), tile_blocks_max);
    depth_count_ = (plan.blocks_per_line() + depth_ - 1) / depth_;
    if (is_column_wise_) {
      width_ = columns_in_tile(lines.extent(0));
    } else if (has_rows && depth_ == 1) {
      width_ = std::min(lines.extent(0), tile_lines_max);
    }
    tiles_per_row_ = has_rows ? (lines.extent(0) + width_ - 1) / width_ : 1;
    is_whole_ = depth_ == plan.blocks_per_result();
  }

  // Results whose blocks are all in one tile are written at once; the others' accumulators are collected and
  // then combined.
  void run() {
    if (!is_whole_) {
      const std::int64_t count = plan_.result_count() * plan_.blocks_per_result();
      partials_ =
          std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(count * accumulator_bytes_));
    }
    const std::int64_t tile_cost = width_ * depth_ * std::min(plan_.leading_count(), reduce_block_elements);
    const Division tiles = divide_work(executor_, depth_count_ * row_count_ * tiles_per_row_, tile_cost);
    for_each_task(executor_, tiles, [&](std::int64_t begin, std::int64_t end) { reduce_tiles(begin, end); });
    if (is_whole_) return;
    const Division results = divide_work(executor_, plan_.result_count(), plan_.blocks_per_result());
    for_each_task(executor_, results,
                  [&](std::int64_t begin, std::int64_t end) { combine_results(begin, end); });
  }

 private:
  using RowOffsets = std::array<std::int64_t, reduce_block_elements>;

  // Pieces of a row of columns, of about one length in whole cache lines. Several threads get several each.
  std::int64_t columns_in_tile(std::int64_t columns) const noexcept {
    const auto pieces_of = [columns](std::int64_t width) { return (columns + width - 1) / width; };
    std::int64_t pieces = pieces_of(tile_columns_max);
    if (executor_.parallel != nullptr) {
      const std::int64_t wanted = executor_.parallel->width() * tasks_per_thread;
      const std::int64_t other_tiles = depth_count_ * row_count_;
      pieces =
          std::max(pieces, std::min((wanted + other_tiles - 1) / other_tiles, pieces_of(tile_columns_min)));
    }
    const std::int64_t line_elements = 64;
    const std::int64_t width = (columns + pieces - 1) / pieces;
    return std::min(columns, (width + line_elements - 1) / line_elements * line_elements);
  }

  // Contiguous lines are read in the order of memory. Otherwise the blocks' number is the slowest: one table
  // of offsets then serves all lines.
  void reduce_tiles(std::int64_t begin, std::int64_t end) const {
    const std::int64_t tiles_per_depth = row_count_ * tiles_per_row_;
    const ReduceScratch scratch(std::max(width_, depth_));
    RowOffsets offsets;
    // Along one axis the elements of all blocks lie alike; the first has the most.
    const bool are_alike = plan_.leading().rank() <= 1;
    if (are_alike && !is_row_wise_) fill_offsets(0, offsets);
    std::int64_t known_block = -1;
    for (std::int64_t tile = begin; tile < end; ++tile) {
      const std::int64_t block = (is_row_wise_ ? tile % depth_count_ : tile / tiles_per_depth) * depth_;
      const std::int64_t place = is_row_wise_ ? tile / depth_count_ : tile % tiles_per_depth;
      if (block != known_block && !are_alike) fill_offsets(block, offsets);
      known_block = block;
      reduce_tile(block, place / tiles_per_row_, place % tiles_per_row_ * width_, offsets, scratch);
    }
  }

  std::int64_t block_elements(std::int64_t block) const noexcept {
    return std::min(reduce_block_elements, plan_.leading_count() - block * reduce_block_elements);
  }

  // Where the elements of a block lie, relative to its first.
  void fill_offsets(std::int64_t block, RowOffsets& offsets) const noexcept {
    const LoopNest& leading = plan_.leading();
    offsets[0] = 0;
    if (leading.rank() == 0) return;
    const std::int64_t count = block_elements(block);
    const std::int64_t start = block_offset(block);
    for (std::int64_t r = 0; r < count;) {
      const std::int64_t position = block * reduce_block_elements + r;
      const std::int64_t first = leading.offset(0, position) - start;
      const std::int64_t run = std::min(count - r, leading.extent(0) - position % leading.extent(0));
      for (std::int64_t i = 0; i < run; ++i)
        offsets[static_cast<std::size_t>(r + i)] = first + i * leading.stride(0, 0);
      r += run;
    }
  }

  std::int64_t block_offset(std::int64_t block) const noexcept {
    return plan_.leading().offset(0, block * reduce_block_elements);
  }

  void reduce_tile(std::int64_t block, std::int64_t row, std::int64_t first, const RowOffsets& offsets,
                   const ReduceScratch& scratch) const {
    const LoopNest& lines = plan_.lines();
    const bool has_rows = lines.rank() != 0;
    const std::int64_t width = has_rows ? std::min(width_, lines.extent(0) - first) : 1;
    const auto offset = [&](int operand) {
      return has_rows
                 ? lines.start(operand) + lines.offset(operand, row, 1) + first * lines.stride(operand, 0)
                 : 0;
    };
    const auto step = [&](int operand) { return has_rows ? lines.stride(operand, 0) : 0; };

    // Either one line or one block of each, so that one follows the other.
    std::byte* const accumulators = scratch.accumulators();
    const std::byte* const in = in_.address + (offset(0) + block_offset(block)) * in_.element_bytes();
    const std::int64_t depth = std::min(depth_, plan_.blocks_per_line() - block);
    if (is_row_wise_) {
      reduce_rows(in, step(0), block, depth, width, scratch);
    } else {
      reduce_lines(in, step(0), block_elements(block), width, offsets, scratch);
    }
    if (kernels_.shift != nullptr) shift_places(block, depth, width, offset(1), step(1), accumulators);
    if (is_whole_) {
      kernels_.combine(accumulators, width, depth, width);
      kernels_.finish(accumulators, width, plan_.reduced_count(),
                      out_.address + offset(2) * out_.element_bytes(), step(2));
    } else {
      const std::int64_t results = plan_.result_count();
      const PlaneKernel store =
          executor_.kernels.copy->plane[item_index(static_cast<std::size_t>(accumulator_bytes_))];
      store(accumulators, {1, width}, partials_.get() + (offset(1) + block * results) * accumulator_bytes_,
            {step(1), results}, width, depth);
    }
  }

  // Places of blocks count from the beginning of the result. `offset` is that of the first line among the
  // accumulators of all.
  void shift_places(std::int64_t block, std::int64_t depth, std::int64_t width, std::int64_t offset,
                    std::int64_t step, std::byte* accumulators) const {
    for (std::int64_t k = 0; k < width; ++k) {
      const std::int64_t line = (offset + k * step) / plan_.result_count() / plan_.blocks_per_line();
      for (std::int64_t i = 0; i < depth; ++i) {
        kernels_.shift(accumulators + (i * width + k) * accumulator_bytes_,
                       line * plan_.leading_count() + (block + i) * reduce_block_elements);
      }
    }
  }

  // `depth` blocks of each of `width` lines with contiguous elements. The first blocks begin at `in`, `step`
  // elements apart; only one of both is more than 1.
  void reduce_rows(const std::byte* in, std::int64_t step, std::int64_t block, std::int64_t depth,
                   std::int64_t width, const ReduceScratch& scratch) const {
    const std::int64_t count = block_elements(block + depth - 1);
    if (depth > 1) {
      const std::int64_t whole = count == reduce_block_elements ? depth : depth - 1;
      kernels_.rows(in, reduce_block_elements, whole, reduce_block_elements, scratch.accumulators());
      if (whole == depth) return;
      kernels_.rows(in + whole * reduce_block_elements * in_.element_bytes(), 0, 1, count,
                    scratch.accumulators() + whole * accumulator_bytes_);
    } else if (count <= short_line_elements_max && width > 1) {
      reduce_short_lines(in, step, count, width, scratch);
    } else {
      kernels_.rows(in, step, width, count, scratch.accumulators());
    }
  }

  // One block of each of `width` lines.
  void reduce_lines(const std::byte* in, std::int64_t step, std::int64_t count, std::int64_t width,
                    const RowOffsets& offsets, const ReduceScratch& scratch) const {
    if (is_column_wise_) {
      kernels_.columns(in, offsets.data(), count, width, scratch.lanes(), scratch.accumulators());
      return;
    }
    for (std::int64_t k = 0; k < width; ++k) {
      reduce_gathered(in + k * step * in_.element_bytes(), count, offsets,
                      scratch.accumulators() + k * accumulator_bytes_);
    }
  }

  // The same order of combination as that of each line by itself.
  void reduce_short_lines(const std::byte* in, std::int64_t step, std::int64_t count, std::int64_t width,
                          const ReduceScratch& scratch) const {
    alignas(64) std::byte turned[short_line_elements_max * tile_lines_max * 16];
    std::int64_t lines[tile_lines_max];
    std::int64_t rows[short_line_elements_max];
    for (std::int64_t k = 0; k < width; ++k) lines[k] = k * step;
    for (std::int64_t r = 0; r < count; ++r) rows[r] = r * width;
    const std::size_t item = item_index(static_cast<std::size_t>(in_.element_bytes()));
    executor_.kernels.copy->transpose[item](in, lines, turned, rows, width, count);
    kernels_.columns(turned, rows, count, width, scratch.lanes(), scratch.accumulators());
  }

  void reduce_gathered(const std::byte* line, std::int64_t count, const RowOffsets& offsets,
                       std::byte* accumulator) const {
    constexpr std::int64_t one_row[] = {0};
    alignas(64) std::byte gathered[reduce_block_elements * 16];
    const std::size_t item = item_index(static_cast<std::size_t>(in_.element_bytes()));
    executor_.kernels.copy->transpose[item](line, offsets.data(), gathered, one_row, count, 1);
    kernels_.rows(gathered, 0, 1, count, accumulator);
  }

  // Neighbouring results side by side, as many as the innermost axis of the output and a cache hold.
  void combine_results(std::int64_t begin, std::int64_t end) const {
    constexpr std::int64_t results_at_once = 256;
    const LoopNest& results = plan_.results();
    const std::int64_t row = results.rank() == 0 ? 1 : results.extent(0);
    const std::int64_t stride = results.rank() == 0 ? 0 : results.stride(1, 0);
    for (std::int64_t result = begin; result < end;) {
      const std::int64_t width = std::min({end - result, row - result % row, results_at_once});
      std::byte* const accumulators = partials_.get() + result * accumulator_bytes_;
      kernels_.combine(accumulators, plan_.result_count(), plan_.blocks_per_result(), width);
      kernels_.finish(accumulators, width, plan_.reduced_count(),
                      out_.address + results.offset(1, result) * out_.element_bytes(), stride);
      result += width;
    }
  }

  const Executor& executor_;
  ReduceKernels kernels_;
  const ReducePlan& plan_;
  const Operand& in_;
  const Operand& out_;
  std::int64_t accumulator_bytes_;
  bool is_row_wise_;            // the elements of a block are contiguous
  bool is_column_wise_;         // neighbouring lines are contiguous
  bool is_whole_;               // a tile has all blocks of its results
  std::int64_t width_ = 1;      // lines in one tile
  std::int64_t depth_ = 1;      // blocks of each line in one tile; not more than 1 where width_ is
  std::int64_t tiles_per_row_;  // along the innermost axis of the lines
  std::int64_t row_count_;
  std::int64_t depth_count_;
  std::unique_ptr<std::byte[]> partials_;
};

// Every result of a reduction of no elements.
void finish_empty(const ReduceKernels& kernels, const ReducePlan& plan, const Operand& out) {
  alignas(16) std::byte accumulator[16];
  kernels.identity(accumulator);
  LoopNest results(1);
  for (std::size_t axis = 0; axis < out.extents.size(); ++axis)
    results.add_axis(out.extents[axis], {out.strides[axis]});
  for (std::int64_t result = 0; result < plan.result_count(); ++result) {
    kernels.finish(accumulator, 1, 0, out.address + results.offset(0, result) * out.element_bytes(), 1);
  }
}

void require_shape(std::uint64_t axis_mask, const Operand& in, const Operand& out) {
  bool is_right = in.extents.size() == out.extents.size();
  for (std::size_t axis = 0; is_right && axis < in.extents.size(); ++axis) {
    const bool is_reduced = (axis_mask >> axis & 1u) != 0;
    is_right = out.extents[axis] == (is_reduced ? 1 : in.extents[axis]);
  }
  if (is_right) return;
  throw sdk::Error(TENURE_INVALID_ARGUMENT,
                   "a reduction's output must have the input's extents with 1 for each reduced axis");
}

}  // namespace

bool supports_reduction(const KernelSet& kernels, std::uint32_t function, tenure_dtype in,
                        tenure_dtype out) noexcept {
  const abi::ReductionRow* const row = abi::find_reduction(function);
  return row != nullptr && kernels.reduction(function, dtype_index(in)).rows != nullptr &&
         abi::same_dtype(out, abi::result_dtype(*row, in));
}

void run_reduce(const Executor& executor, std::uint32_t function, std::uint64_t axis_mask, const Operand& in,
                const Operand& out) {
  const abi::ReductionRow* const row = abi::find_reduction(function);
  if (row == nullptr) {
    throw sdk::Error(TENURE_UNIMPLEMENTED, "the CPU engine knows no reduction " + std::to_string(function));
  }
  const ReduceKernels kernels = executor.kernels.reduction(function, in.dtype);
  if (!supports_reduction(executor.kernels, function, in.abi_dtype(), out.abi_dtype())) {
    const Operand operands[] = {in, out};
    refuse_dtypes(row->name, operands);
  }
  require_shape(axis_mask, in, out);
  const ReducePlan plan(in, out, axis_mask);
  if (plan.result_count() == 0) return;
  if (plan.reduced_count() == 0) {
    if (!row->empty_is_defined) {
      throw sdk::Error(TENURE_INVALID_ARGUMENT, std::string(row->name) + ": a reduced axis has extent 0");
    }
    finish_empty(kernels, plan, out);
    return;
  }
  Reduction(executor, kernels, plan, in, out).run();
}

}  // namespace tenure::cpu
