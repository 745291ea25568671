// SPDX-License-Identifier: Apache-2.0
// contract_plan: a contraction as matrix products, left (m x k) times right (k x n) for each batch index.
#pragma once

#include <cstdint>
#include <optional>

#include "kernels/kernel_table.hpp"
#include "loop_nest.hpp"
#include "operand.hpp"
#include "tenure/provider_engine.h"

namespace tenure::cpu {

// Multiply-adds that take as long as one element of a memory-bound loop.
inline constexpr std::int64_t contract_products_per_cost = 16;

// The axes of a contraction in four groups. Each group is one axis where its axes fuse.
struct ContractPlan {
  // Throws INVALID_ARGUMENT for axes that do not exist, are named twice, or whose extents differ.
  ContractPlan(const tenure_contract_attributes& attributes, const Operand& left, const Operand& right,
               const Operand& out);

  LoopNest batch{3};    // operands: out, left, right
  LoopNest rows{2};     // m: out, left
  LoopNest columns{2};  // n: out, right
  LoopNest terms{2};    // k, in the order that the caller listed: left, right

  // All 0 where the output has no elements.
  std::int64_t batch_count = 0;
  std::int64_t m = 0, n = 0, k = 0;
};

// A matrix whose rows and columns are the walks of two nests, from the element where both begin; nothing when
// they are not one axis each, and the matrix has to be packed.
std::optional<Plane> find_plane(const LoopNest& rows, int rows_operand, const LoopNest& columns,
                                int columns_operand) noexcept;

// How BLAS can take a matrix whose rows and columns are the walks of two nests; nothing when it cannot.
struct MatrixLayout {
  std::int64_t leading;
  bool is_transposed;
};
std::optional<MatrixLayout> find_matrix_layout(const LoopNest& rows, int rows_operand,
                                               const LoopNest& columns, int columns_operand) noexcept;

}  // namespace tenure::cpu
