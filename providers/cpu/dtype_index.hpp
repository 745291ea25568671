// SPDX-License-Identifier: Apache-2.0
// dtype_index: the places of dtypes and item sizes in the kernel tables.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "kernels/kernel_table.hpp"
#include "tenure/abi/checked_math.hpp"
#include "tenure/abi/dtype.hpp"

namespace tenure::cpu {

// The place of an item of 1, 2, 4, 8 or 16 bytes in a table by item size.
constexpr std::size_t item_index(std::size_t bytes) noexcept {
  return static_cast<std::size_t>(__builtin_ctzll(bytes));
}

inline constexpr std::uint8_t dtype_code_max = TENURE_DTYPE_BOOL;

// By code and by the logarithm of the bits; dtype_count where there is no such dtype.
inline constexpr auto dtype_places = [] {
  std::array<std::array<std::uint8_t, 8>, dtype_code_max + 1> places{};
  for (auto& row : places) row.fill(dtype_count);
  for (std::size_t i = 0; i < dtype_count; ++i) {
    const tenure_dtype dtype = abi::dtype_table[i].dtype;
    places[dtype.code][item_index(dtype.bits)] = static_cast<std::uint8_t>(i);
  }
  return places;
}();

// The place of a dtype in abi::dtype_table, or dtype_count when Tenure does not know it.
constexpr std::size_t dtype_index(tenure_dtype dtype) noexcept {
  if (dtype.code > dtype_code_max || !abi::is_power_of_two(dtype.bits) || dtype.lanes != 1)
    return dtype_count;
  return dtype_places[dtype.code][item_index(dtype.bits)];
}

}  // namespace tenure::cpu
