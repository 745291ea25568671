// SPDX-License-Identifier: Apache-2.0
// function_cost: what one element of an elementwise function costs, beside an addition of the same dtype.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tenure/abi/dtype.hpp"
#include "tenure/provider_engine.h"

namespace tenure::cpu {
namespace {

// Measured; complex functions call the C library.
constexpr std::int64_t cost_of(std::uint32_t function, std::size_t dtype) noexcept {
  const tenure_dtype found = abi::dtype_table[dtype].dtype;
  const std::int64_t scale = abi::is_floating(found) && found.bits == 16 ? 4 : 1;
  const std::int64_t library_scale = abi::is_complex(found) ? 64 : 8 * scale;
  switch (function) {
    case TENURE_FN_EXP:
    case TENURE_FN_LOG:
    case TENURE_FN_SIN:
    case TENURE_FN_COS:
    case TENURE_FN_TANH:
      return library_scale;
    case TENURE_FN_EXPM1:
    case TENURE_FN_LOG1P:
    case TENURE_FN_TAN:
    case TENURE_FN_SIGMOID:
      return 2 * library_scale;
    case TENURE_FN_POW:
    case TENURE_FN_ATAN2:
      return 4 * library_scale;
    case TENURE_FN_SQRT:
    case TENURE_FN_RSQRT:
    case TENURE_FN_DIVIDE:
    case TENURE_FN_RECIPROCAL:
    case TENURE_FN_REMAINDER:
      return 4 * scale;
    default:
      return scale;
  }
}

// Such functions are computed more slowly than their operands arrive, and their kernels fetch ahead by
// themselves, a little at a time. Others gain nothing from that while the operands are in a cache.
constexpr bool fetches_ahead(std::int64_t cost) noexcept { return cost >= 8; }

}  // namespace
}  // namespace tenure::cpu
