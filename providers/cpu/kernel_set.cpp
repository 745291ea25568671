// SPDX-License-Identifier: Apache-2.0
#include "kernel_set.hpp"

#include "tenure/abi/operation_table.hpp"

namespace tenure::cpu {
namespace {

const NodeRow* node_row(const KernelSet& set, std::uint32_t function) noexcept {
  switch (function) {
    case TENURE_FN_NEG:
      return &set.arithmetic->neg;
    case TENURE_FN_ABS:
      return &set.arithmetic->abs;
    case TENURE_FN_SQRT:
      return &set.arithmetic->sqrt;
    case TENURE_FN_EXP:
      return &set.exponential->exp;
    case TENURE_FN_ADD:
      return &set.arithmetic->add;
    case TENURE_FN_SUBTRACT:
      return &set.arithmetic->subtract;
    case TENURE_FN_MULTIPLY:
      return &set.arithmetic->multiply;
    case TENURE_FN_DIVIDE:
      return &set.arithmetic->divide;
    case TENURE_FN_MAXIMUM:
      return &set.arithmetic->maximum;
    case TENURE_FN_MINIMUM:
      return &set.arithmetic->minimum;
    case TENURE_FN_EQUAL:
      return &set.comparison->equal;
    case TENURE_FN_NOT_EQUAL:
      return &set.comparison->not_equal;
    case TENURE_FN_LESS:
      return &set.comparison->less;
    case TENURE_FN_LESS_EQUAL:
      return &set.comparison->less_equal;
    case TENURE_FN_GREATER:
      return &set.comparison->greater;
    case TENURE_FN_GREATER_EQUAL:
      return &set.comparison->greater_equal;
    case TENURE_FN_WHERE:
      return &set.comparison->where;
    default:
      return nullptr;
  }
}

}  // namespace

std::size_t accumulator_bytes(std::size_t dtype) noexcept {
  const abi::DtypeRow& row = abi::dtype_table[dtype];
  return abi::is_floating(row.dtype) && row.bytes == 2 ? sizeof(float) : row.bytes;
}

NodeKernel KernelSet::node(std::uint32_t function, std::size_t dtype) const noexcept {
  const NodeRow* const row = node_row(*this, function);
  return row == nullptr || dtype >= dtype_count ? nullptr : (*row)[dtype];
}

ReduceKernels KernelSet::reduction(std::uint32_t function, std::size_t dtype) const noexcept {
  if (dtype >= dtype_count) return {};
  switch (function) {
    case TENURE_REDUCE_SUM:
      return reduce->sum[dtype];
    case TENURE_REDUCE_MEAN: {
      const std::uint32_t classes = abi::find_reduction(TENURE_REDUCE_MEAN)->operand_classes;
      const bool has_mean = (abi::class_of(abi::dtype_table[dtype].dtype) & classes) != 0;
      return has_mean ? reduce->sum[dtype] : ReduceKernels{};
    }
    case TENURE_REDUCE_MAX:
      return reduce->max[dtype];
    case TENURE_REDUCE_MIN:
      return reduce->min[dtype];
    default:
      return {};
  }
}

#define TENURE_CPU_KERNEL_SET(LEVEL)                                                                   \
  KernelSet {                                                                                          \
    &LEVEL::arithmetic_table, &LEVEL::comparison_table, &LEVEL::exponential_table, &LEVEL::cast_table, \
        &LEVEL::copy_table, &LEVEL::reduce_table                                                       \
  }

const KernelSet& kernel_set(IsaLevel level) noexcept {
  static constexpr KernelSet baseline_set = TENURE_CPU_KERNEL_SET(baseline);
#if defined(__x86_64__)
  static constexpr KernelSet v3_set = TENURE_CPU_KERNEL_SET(x86_64_v3);
  static constexpr KernelSet v4_set = TENURE_CPU_KERNEL_SET(x86_64_v4);
  if (level == IsaLevel::x86_64_v4) return v4_set;
  if (level == IsaLevel::x86_64_v3) return v3_set;
#else
  static_cast<void>(level);
#endif
  return baseline_set;
}

}  // namespace tenure::cpu
