// SPDX-License-Identifier: Apache-2.0
// dtype_index: the places of dtypes and item sizes in the kernel tables.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/kernel_table.hpp"
#include "tenure/abi/dtype.hpp"

namespace tenure::cpu {

// The place of an item of 1, 2, 4, 8 or 16 bytes in a table by item size.
constexpr std::size_t item_index(std::size_t bytes) noexcept {
  return static_cast<std::size_t>(__builtin_ctzll(bytes));
}

// The place of a dtype in abi::dtype_table, or dtype_count when Tenure does not know it.
constexpr std::size_t dtype_index(tenure_dtype dtype) noexcept { return abi::dtype_place(dtype); }

}  // namespace tenure::cpu
