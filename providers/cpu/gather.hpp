// SPDX-License-Identifier: Apache-2.0
// gather: elements by their indices along one axis, taken (gather) or put (scatter).
#pragma once

#include <cstdint>

#include "executor.hpp"
#include "operand.hpp"

namespace tenure::cpu {

// Whether a dtype is that of indices.
constexpr bool is_index(tenure_dtype dtype) noexcept {
  return abi::same_dtype(dtype, {TENURE_DTYPE_INT, 64, 1});
}

// Both throw INVALID_ARGUMENT for an index that is out of range, naming it and its place, UNIMPLEMENTED for
// dtypes that do not go together, INVALID_ARGUMENT for extents that do not; nothing has been written then.
void run_gather(const Executor& executor, std::uint32_t axis, const Operand& in, const Operand& indices,
                const Operand& out);
// Of several updates of one element the last one along the axis stays, also in parallel.
void run_scatter(const Executor& executor, std::uint32_t axis, const Operand& indices, const Operand& updates,
                 const Operand& out);

}  // namespace tenure::cpu
