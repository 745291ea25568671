// SPDX-License-Identifier: Apache-2.0
#include "reduce_plan.hpp"

#include <array>

namespace tenure::cpu {

ReducePlan::ReducePlan(const Operand& in, const Operand& out, std::uint64_t axis_mask) {
  const auto is_reduced = [axis_mask](std::size_t axis) { return (axis_mask >> axis & 1u) != 0; };
  const auto count_elements = [&](bool of_reduced) {
    std::array<std::int64_t, TENURE_RANK_MAX> extents;
    std::size_t rank = 0;
    for (std::size_t axis = 0; axis < in.extents.size(); ++axis) {
      if (is_reduced(axis) == of_reduced) extents[rank++] = in.extents[axis];
    }
    return element_count({extents.data(), rank});
  };
  result_count_ = count_elements(false);
  if (result_count_ == 0) return;
  reduced_count_ = count_elements(true);
  if (reduced_count_ == 0) return;

  std::vector<std::size_t> rest;
  for (std::size_t axis = 0; axis < in.extents.size(); ++axis) {
    const std::int64_t extent = in.extents[axis];
    if (!is_reduced(axis)) continue;
    if (leading_count_ < reduce_block_elements) {
      leading_.add_axis(extent, {in.strides[axis]});
      leading_count_ *= extent;
    } else {
      line_count_ *= extent;
      rest.push_back(axis);
    }
  }
  leading_.fuse();
  blocks_per_line_ = (leading_count_ + reduce_block_elements - 1) / reduce_block_elements;

  std::int64_t result = 1;
  for (std::size_t axis = 0; axis < in.extents.size(); ++axis) {
    if (is_reduced(axis)) continue;
    lines_.add_axis(in.extents[axis], {in.strides[axis], result, out.strides[axis]});
    results_.add_axis(in.extents[axis], {result, out.strides[axis]});
    result *= in.extents[axis];
  }
  std::int64_t line = 1;
  for (const std::size_t axis : rest) {
    lines_.add_axis(in.extents[axis], {in.strides[axis], line * blocks_per_line_ * result_count_, 0});
    line *= in.extents[axis];
  }
  lines_.simplify();
  results_.fuse();
}

}  // namespace tenure::cpu
