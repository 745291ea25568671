// SPDX-License-Identifier: Apache-2.0
// reduce_plan: the order in which a reduction combines its elements, and where the pieces lie in memory.
#pragma once

#include <cstdint>
#include <vector>

#include "loop_nest.hpp"
#include "operand.hpp"

namespace tenure::cpu {

// The reduced axes, in order and without those of extent 1, are cut in two: leading axes, as few as hold a
// block of elements, and the rest. Each index of the rest has its own blocks: consecutive elements along the
// leading axes. The block accumulators of one result, numbered (block, rest), are combined pairwise. Nothing
// of this depends on strides. All accumulators are one array, in which those of neighbouring results are
// neighbours. Without elements or results only their counts are known.
class ReducePlan {
 public:
  ReducePlan(const Operand& in, const Operand& out, std::uint64_t axis_mask);

  // Elements in one result; meaningful where there is a result.
  std::int64_t reduced_count() const noexcept { return reduced_count_; }
  std::int64_t result_count() const noexcept { return result_count_; }
  std::int64_t blocks_per_result() const noexcept { return blocks_per_line_ * line_count_; }

  // The elements of one line of blocks: the leading axes; operand 0 is the input.
  const LoopNest& leading() const noexcept { return leading_; }
  std::int64_t blocks_per_line() const noexcept { return blocks_per_line_; }
  std::int64_t leading_count() const noexcept { return leading_count_; }

  // All lines of all results in the order of the input's memory. Operand 0 is the input; operand 1 where the
  // line's first accumulator is in the array of all, the next being result_count() behind it; operand 2 the
  // output, meaningful where a result is one line.
  const LoopNest& lines() const noexcept { return lines_; }

  // The results in order: operand 0 is their number, operand 1 the output.
  const LoopNest& results() const noexcept { return results_; }

 private:
  std::int64_t reduced_count_ = 1;
  std::int64_t result_count_ = 1;
  std::int64_t leading_count_ = 1;
  std::int64_t line_count_ = 1;  // of one result
  std::int64_t blocks_per_line_ = 1;
  LoopNest leading_{1};
  LoopNest lines_{3};
  LoopNest results_{2};
};

}  // namespace tenure::cpu
