// SPDX-License-Identifier: Apache-2.0
#include "reduce_plan.hpp"

namespace tenure::cpu {

ReducePlan::ReducePlan(const Operand& in, const Operand& out, std::uint64_t axis_mask) {
  const auto is_reduced = [axis_mask](std::size_t axis) { return (axis_mask >> axis & 1u) != 0; };
  std::vector<std::size_t> rest;
  for (std::size_t axis = 0; axis < in.extents.size(); ++axis) {
    const std::int64_t extent = in.extents[axis];
    if (!is_reduced(axis)) {
      result_count_ *= extent;
      continue;
    }
    reduced_count_ *= extent;
    if (leading_count_ < reduce_block_elements) {
      leading_.add_axis(extent, {in.strides[axis]});
      leading_count_ *= extent;
    } else {
      line_count_ *= extent;
      rest.push_back(axis);
    }
  }
  if (reduced_count_ == 0 || result_count_ == 0) return;
  leading_.fuse();
  blocks_per_line_ = (leading_count_ + reduce_block_elements - 1) / reduce_block_elements;

  std::int64_t result = 1;
  for (std::size_t axis = 0; axis < in.extents.size(); ++axis) {
    if (is_reduced(axis)) continue;
    lines_.add_axis(in.extents[axis], {in.strides[axis], result * blocks_per_result(), out.strides[axis]});
    results_.add_axis(in.extents[axis], {result, out.strides[axis]});
    result *= in.extents[axis];
  }
  std::int64_t line = 1;
  for (const std::size_t axis : rest) {
    lines_.add_axis(in.extents[axis], {in.strides[axis], line * blocks_per_line_, 0});
    line *= in.extents[axis];
  }
  lines_.simplify();
  results_.fuse();
}

}  // namespace tenure::cpu
