// SPDX-License-Identifier: Apache-2.0
// kernel_set: the kernel tables of one ISA level, found by the numbers of the contract.
#pragma once

#include <cstddef>
#include <cstdint>

#include "dtype_index.hpp"
#include "isa_level.hpp"
#include "kernels/kernel_table.hpp"
#include "tenure/provider_engine.h"

namespace tenure::cpu {

struct KernelSet {
  const ArithmeticTable* arithmetic;
  const ComparisonTable* comparison;
  const ExponentialTable* exponential;
  const LogarithmTable* logarithm;
  const TrigonometricTable* trigonometric;
  const PowerTable* power;
  const RoundingTable* rounding;
  const CastTable* cast;
  const CopyTable* copy;
  const IndexTable* index;
  const ReduceTable* reduce;
  const PlaceTable* place;
  const NormTable* norm;
  const ProductTable* product;

  // The kernel of a TENURE_FN_* for operands of a dtype index, or null. The operands of `where` are the
  // last two.
  NodeKernel node(std::uint32_t function, std::size_t dtype) const noexcept;

  // The kernels of a TENURE_REDUCE_* for a dtype index, with null members when there are none.
  ReduceKernels reduction(std::uint32_t function, std::size_t dtype) const noexcept;
};

// `level` is at most detect_isa_level().
const KernelSet& kernel_set(IsaLevel level) noexcept;

}  // namespace tenure::cpu
