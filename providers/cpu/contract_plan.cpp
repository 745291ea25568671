// SPDX-License-Identifier: Apache-2.0
#include "contract_plan.hpp"

#include <algorithm>
#include <bitset>
#include <limits>
#include <span>
#include <string>

#include "tenure/sdk/error.hpp"

namespace tenure::cpu {
namespace {

using AxisSet = std::bitset<TENURE_RANK_MAX>;

[[noreturn]] void refuse(const std::string& message) {
  throw sdk::Error(TENURE_INVALID_ARGUMENT, "contract: " + message);
}

// Marks an axis as spoken for.
void take_axis(AxisSet& taken, std::uint32_t axis, const Operand& operand, const char* name) {
  if (axis >= operand.extents.size()) {
    refuse(std::string("the ") + name + " operand has no axis " + std::to_string(axis));
  }
  if (taken.test(axis))
    refuse(std::string("axis ") + std::to_string(axis) + " of the " + name + " operand is named twice");
  taken.set(axis);
}

// Takes listed pairs of axes, which must have equal extents.
void take_pairs(std::span<const std::uint32_t> left_axes, std::span<const std::uint32_t> right_axes,
                const Operand& left, const Operand& right, AxisSet& left_taken, AxisSet& right_taken) {
  for (std::size_t i = 0; i < left_axes.size(); ++i) {
    take_axis(left_taken, left_axes[i], left, "left");
    take_axis(right_taken, right_axes[i], right, "right");
    if (left.extents[left_axes[i]] == right.extents[right_axes[i]]) continue;
    refuse("axis " + std::to_string(left_axes[i]) + " of the left operand has extent " +
           std::to_string(left.extents[left_axes[i]]) + ", axis " + std::to_string(right_axes[i]) +
           " of the right one " + std::to_string(right.extents[right_axes[i]]));
  }
}

// The next axis of the output, which must have this extent.
std::int64_t next_stride(const Operand& out, std::size_t& axis, std::int64_t extent) {
  if (axis >= out.extents.size() || out.extents[axis] != extent) {
    refuse("axis " + std::to_string(axis) + " of the output is not that of the operands");
  }
  return out.strides[axis++];
}

void add_free_axes(LoopNest& nest, const Operand& operand, const AxisSet& taken, const Operand& out,
                   std::size_t& axis) {
  for (std::size_t i = 0; i < operand.extents.size(); ++i) {
    if (taken.test(i)) continue;
    nest.add_axis(operand.extents[i], {next_stride(out, axis, operand.extents[i]), operand.strides[i]});
  }
}

}  // namespace

ContractPlan::ContractPlan(const tenure_contract_attributes& attributes, const Operand& left,
                           const Operand& right, const Operand& out) {
  const std::span left_terms(attributes.left_contracted, attributes.contracted_count);
  const std::span right_terms(attributes.right_contracted, attributes.contracted_count);
  const std::span left_batch(attributes.left_batch, attributes.batch_count);
  const std::span right_batch(attributes.right_batch, attributes.batch_count);
  AxisSet left_taken, right_taken;
  take_pairs(left_terms, right_terms, left, right, left_taken, right_taken);
  take_pairs(left_batch, right_batch, left, right, left_taken, right_taken);

  for (std::size_t i = 0; i < left_terms.size(); ++i) {
    terms.add_axis(left.extents[left_terms[i]], {left.strides[left_terms[i]], right.strides[right_terms[i]]});
  }
  std::size_t out_axis = 0;
  add_free_axes(rows, left, left_taken, out, out_axis);
  add_free_axes(columns, right, right_taken, out, out_axis);
  for (std::size_t i = 0; i < left_batch.size(); ++i) {
    const std::int64_t extent = left.extents[left_batch[i]];
    batch.add_axis(extent, {next_stride(out, out_axis, extent), left.strides[left_batch[i]],
                            right.strides[right_batch[i]]});
  }
  if (out_axis != out.extents.size()) {
    refuse("the output has " + std::to_string(out.extents.size()) + " axes; expected " +
           std::to_string(out_axis));
  }
  // Beside an extent of 0 the others may have any product.
  if (element_count(out.extents) == 0) return;
  // The order of the terms is the order of their summation, so it is not changed for the memory's sake.
  terms.fuse();
  rows.simplify();
  columns.simplify();
  batch.simplify();
  batch_count = batch.element_count();
  m = rows.element_count();
  n = columns.element_count();
  k = terms.element_count();
}

std::optional<Plane> find_plane(const LoopNest& rows, int rows_operand, const LoopNest& columns,
                                int columns_operand) noexcept {
  if (rows.rank() > 1 || columns.rank() > 1) return std::nullopt;
  // An axis of one element may have any stride.
  return Plane{rows.rank() == 0 ? 1 : rows.stride(rows_operand, 0),
               columns.rank() == 0 ? 1 : columns.stride(columns_operand, 0)};
}

std::optional<MatrixLayout> find_matrix_layout(const LoopNest& rows, int rows_operand,
                                               const LoopNest& columns, int columns_operand) noexcept {
  if (rows.rank() > 1 || columns.rank() > 1) return std::nullopt;
  const std::int64_t row_count = rows.element_count();
  const std::int64_t column_count = columns.element_count();
  // An axis of one element may have the stride that fits best.
  const std::int64_t row_stride = row_count == 1 ? 1 : rows.stride(rows_operand, 0);
  const std::int64_t column_stride =
      column_count == 1 ? std::max<std::int64_t>(row_count, 1) : columns.stride(columns_operand, 0);
  constexpr std::int64_t leading_max = std::numeric_limits<int>::max();
  if (row_stride == 1 && column_stride >= row_count && column_stride <= leading_max)
    return MatrixLayout{column_stride, false};
  const bool has_contiguous_rows = column_count == 1 || column_stride == 1;
  if (has_contiguous_rows && row_stride >= column_count && row_stride <= leading_max)
    return MatrixLayout{row_stride, true};
  return std::nullopt;
}

}  // namespace tenure::cpu
