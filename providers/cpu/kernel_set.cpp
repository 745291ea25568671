// SPDX-License-Identifier: Apache-2.0
#include "kernel_set.hpp"

#include "tenure/provider_engine.h"

namespace tenure::cpu {

NodeKernel KernelSet::node(std::uint32_t function, std::size_t dtype) const noexcept {
  if (dtype >= dtype_count) return nullptr;
  switch (function) {
    case TENURE_FN_NEG:
      return arithmetic->neg[dtype];
    case TENURE_FN_CONJ:
      return arithmetic->conj[dtype];
    case TENURE_FN_ABS:
      return arithmetic->abs[dtype];
    case TENURE_FN_SQRT:
      return arithmetic->sqrt[dtype];
    case TENURE_FN_ADD:
      return arithmetic->add[dtype];
    case TENURE_FN_SUBTRACT:
      return arithmetic->subtract[dtype];
    case TENURE_FN_MULTIPLY:
      return arithmetic->multiply[dtype];
    case TENURE_FN_DIVIDE:
      return arithmetic->divide[dtype];
    case TENURE_FN_MAXIMUM:
      return arithmetic->maximum[dtype];
    case TENURE_FN_MINIMUM:
      return arithmetic->minimum[dtype];
    case TENURE_FN_EQUAL:
      return comparison->equal[dtype];
    case TENURE_FN_NOT_EQUAL:
      return comparison->not_equal[dtype];
    case TENURE_FN_LESS:
      return comparison->less[dtype];
    case TENURE_FN_LESS_EQUAL:
      return comparison->less_equal[dtype];
    case TENURE_FN_GREATER:
      return comparison->greater[dtype];
    case TENURE_FN_GREATER_EQUAL:
      return comparison->greater_equal[dtype];
    case TENURE_FN_WHERE:
      return comparison->where[dtype];
    case TENURE_FN_LOGICAL_AND:
      return comparison->logical_and[dtype];
    case TENURE_FN_LOGICAL_OR:
      return comparison->logical_or[dtype];
    case TENURE_FN_LOGICAL_XOR:
      return comparison->logical_xor[dtype];
    case TENURE_FN_LOGICAL_NOT:
      return comparison->logical_not[dtype];
    case TENURE_FN_EXP:
      return exponential->exp[dtype];
    case TENURE_FN_EXPM1:
      return exponential->expm1[dtype];
    case TENURE_FN_TANH:
      return exponential->tanh[dtype];
    case TENURE_FN_SIGMOID:
      return exponential->sigmoid[dtype];
    case TENURE_FN_LOG:
      return logarithm->log[dtype];
    case TENURE_FN_LOG1P:
      return logarithm->log1p[dtype];
    case TENURE_FN_SIN:
      return trigonometric->sin[dtype];
    case TENURE_FN_COS:
      return trigonometric->cos[dtype];
    case TENURE_FN_TAN:
      return trigonometric->tan[dtype];
    case TENURE_FN_ATAN2:
      return trigonometric->atan2[dtype];
    case TENURE_FN_POW:
      return power->pow[dtype];
    case TENURE_FN_RSQRT:
      return power->rsqrt[dtype];
    case TENURE_FN_RECIPROCAL:
      return power->reciprocal[dtype];
    case TENURE_FN_SIGN:
      return rounding->sign[dtype];
    case TENURE_FN_FLOOR:
      return rounding->floor[dtype];
    case TENURE_FN_CEIL:
      return rounding->ceil[dtype];
    case TENURE_FN_ROUND:
      return rounding->round[dtype];
    case TENURE_FN_REMAINDER:
      return rounding->remainder[dtype];
    default:
      return nullptr;
  }
}

ReduceKernels KernelSet::reduction(std::uint32_t function, std::size_t dtype) const noexcept {
  if (dtype >= dtype_count) return {};
  switch (function) {
    case TENURE_REDUCE_SUM:
      return reduce->sum[dtype];
    case TENURE_REDUCE_MEAN:
      return reduce->mean[dtype];
    case TENURE_REDUCE_MAX:
      return reduce->max[dtype];
    case TENURE_REDUCE_MIN:
      return reduce->min[dtype];
    case TENURE_REDUCE_PROD:
      return reduce->prod[dtype];
    case TENURE_REDUCE_ALL:
      return reduce->all[dtype];
    case TENURE_REDUCE_ANY:
      return reduce->any[dtype];
    case TENURE_REDUCE_ARGMAX:
      return place->argmax[dtype];
    case TENURE_REDUCE_ARGMIN:
      return place->argmin[dtype];
    case TENURE_REDUCE_NORM2:
      return norm->norm2[dtype];
    default:
      return {};
  }
}

#define TENURE_CPU_KERNEL_SET(LEVEL)                                                                        \
  KernelSet {                                                                                               \
    &LEVEL::arithmetic_table, &LEVEL::comparison_table, &LEVEL::exponential_table, &LEVEL::logarithm_table, \
        &LEVEL::trigonometric_table, &LEVEL::power_table, &LEVEL::rounding_table, &LEVEL::cast_table,       \
        &LEVEL::copy_table, &LEVEL::index_table, &LEVEL::reduce_table, &LEVEL::place_table,                 \
        &LEVEL::norm_table, &LEVEL::product_table                                                           \
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
