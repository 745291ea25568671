// SPDX-License-Identifier: Apache-2.0
// kernel_set: the kernel tables of one ISA level, found by the numbers of the contract.
#pragma once

#include <cstddef>
#include <cstdint>

#include "isa_level.hpp"
#include "kernels/kernel_table.hpp"
#include "tenure/provider_engine.h"

namespace tenure::cpu {

// The place of a dtype in abi::dtype_table, or dtype_count when Tenure does not know it.
std::size_t dtype_index(tenure_dtype dtype) noexcept;

// The place of an item of 1, 2, 4, 8 or 16 bytes in a table by item size.
constexpr std::size_t item_index(std::size_t bytes) noexcept {
  return static_cast<std::size_t>(__builtin_ctzll(bytes));
}

// Bytes of the accumulator of a reduction of elements of this dtype.
std::size_t accumulator_bytes(std::size_t dtype) noexcept;

struct KernelSet {
  const ArithmeticTable* arithmetic;
  const ComparisonTable* comparison;
  const ExponentialTable* exponential;
  const CastTable* cast;
  const CopyTable* copy;
  const ReduceTable* reduce;

  // The kernel of a TENURE_FN_* for operands of a dtype index, or null. The operands of `where` are the
  // last two.
  NodeKernel node(std::uint32_t function, std::size_t dtype) const noexcept;

  // The kernels of a TENURE_REDUCE_* for a dtype index, with null members when there are none.
  ReduceKernels reduction(std::uint32_t function, std::size_t dtype) const noexcept;
};

// `level` is at most detect_isa_level().
const KernelSet& kernel_set(IsaLevel level) noexcept;

}  // namespace tenure::cpu
