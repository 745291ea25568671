// SPDX-License-Identifier: Apache-2.0
// reduce: many elements become one, over any axes.
#pragma once

#include <cstdint>

#include "executor.hpp"
#include "operand.hpp"
#include "tenure/provider_engine.h"

namespace tenure::cpu {

// Whether a TENURE_REDUCE_* of elements of one dtype is computed and has the other one as its result.
bool supports_reduction(const KernelSet& kernels, std::uint32_t function, tenure_dtype in,
                        tenure_dtype out) noexcept;

// `out` has the rank of `in`, with extent 1 where bit i of the mask says that axis i is reduced. The result
// depends on the values and on the shape alone: strides, threads and ISA levels all combine the elements in
// the same order. Throws UNIMPLEMENTED for dtypes without a kernel, INVALID_ARGUMENT for extents that do not
// match and for extrema of nothing; nothing has been written then.
void run_reduce(const Executor& executor, std::uint32_t function, std::uint64_t axis_mask, const Operand& in,
                const Operand& out);

}  // namespace tenure::cpu
