// SPDX-License-Identifier: Apache-2.0
// node_rule: what follows from an elementwise function and the dtype of its operands.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "dtype_index.hpp"
#include "kernels/function_cost.hpp"
#include "tenure/abi/operation_table.hpp"
#include "tile_program.hpp"

namespace tenure::cpu {

struct NodeRule {
  tenure_dtype result;
  Forbidden forbidden;
  std::uint8_t result_bytes;
  std::int16_t cost;  // of one element, relative to an addition
};

constexpr Forbidden forbidden_of(std::uint32_t function, tenure_dtype operand) noexcept {
  if (!abi::is_integer(operand)) return Forbidden::nothing;
  if (function == TENURE_FN_DIVIDE || function == TENURE_FN_REMAINDER) return Forbidden::zero;
  const bool has_sign = operand.code == TENURE_DTYPE_INT;
  return function == TENURE_FN_POW && has_sign ? Forbidden::negative : Forbidden::nothing;
}

// By the places of functions and dtypes in their tables.
inline constexpr auto node_rules = [] {
  std::array<std::array<NodeRule, dtype_count>, abi::function_table.size()> rules{};
  for (std::size_t place = 0; place < rules.size(); ++place) {
    const abi::FunctionRow& row = abi::function_table[place];
    for (std::size_t dtype = 0; dtype < dtype_count; ++dtype) {
      const tenure_dtype operand = abi::dtype_table[dtype].dtype;
      const tenure_dtype result = abi::result_dtype(row, operand);
      rules[place][dtype] = {result, forbidden_of(row.function, operand),
                             static_cast<std::uint8_t>(result.bits / 8),
                             static_cast<std::int16_t>(cost_of(row.function, dtype))};
    }
  }
  return rules;
}();

// `row` is one of abi::function_table.
inline const NodeRule& node_rule(const abi::FunctionRow& row, std::size_t dtype) noexcept {
  return node_rules[abi::function_places[row.function]][dtype];
}

}  // namespace tenure::cpu
