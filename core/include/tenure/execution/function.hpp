// SPDX-License-Identifier: Apache-2.0
// function: the elementwise functions.
#pragma once

#include <cstdint>
#include <string_view>

#include "tenure/abi/operation_table.hpp"
#include "tenure/config.h"

namespace tenure::inline TENURE_BUILD {

// What each takes and gives is in tenure/abi/operation_table.hpp. Integers wrap, division of integers
// truncates, maximum and minimum give a NaN where an operand is one.
enum class Function : std::uint32_t {
  neg = TENURE_FN_NEG,
  abs = TENURE_FN_ABS,
  sqrt = TENURE_FN_SQRT,
  exp = TENURE_FN_EXP,
  add = TENURE_FN_ADD,
  subtract = TENURE_FN_SUBTRACT,
  multiply = TENURE_FN_MULTIPLY,
  divide = TENURE_FN_DIVIDE,
  maximum = TENURE_FN_MAXIMUM,
  minimum = TENURE_FN_MINIMUM,
  equal = TENURE_FN_EQUAL,
  not_equal = TENURE_FN_NOT_EQUAL,
  less = TENURE_FN_LESS,
  less_equal = TENURE_FN_LESS_EQUAL,
  greater = TENURE_FN_GREATER,
  greater_equal = TENURE_FN_GREATER_EQUAL,
  where = TENURE_FN_WHERE,
};

enum class Reduction : std::uint32_t {
  sum = TENURE_REDUCE_SUM,
  mean = TENURE_REDUCE_MEAN,
  max = TENURE_REDUCE_MAX,
  min = TENURE_REDUCE_MIN,
};

// The row of one of the enumerators above. find_row takes any number and throws InvalidArgument.
constexpr const abi::FunctionRow& row_of(Function function) noexcept {
  return *abi::find_function(static_cast<std::uint32_t>(function));
}
TENURE_API const abi::FunctionRow& find_row(Function function);
TENURE_API const abi::ReductionRow& find_row(Reduction reduction);

}  // namespace tenure::inline TENURE_BUILD
