// SPDX-License-Identifier: Apache-2.0
// function: the elementwise functions.
#pragma once

#include <cstdint>
#include <string_view>

#include "tenure/abi/operation_table.hpp"
#include "tenure/config.h"
#include "tenure/provider_engine.h"

namespace tenure::inline TENURE_BUILD {

// What each takes and gives is in tenure/abi/operation_table.hpp. Integers wrap, division of integers
// truncates and remainder is what it leaves, with the sign of the dividend (also of floating numbers);
// maximum and minimum give a NaN where an operand is one; round takes ties to even; atan2 takes y and x.
enum class Function : std::uint32_t {
  neg = TENURE_FN_NEG,
  abs = TENURE_FN_ABS,
  sqrt = TENURE_FN_SQRT,
  exp = TENURE_FN_EXP,
  conj = TENURE_FN_CONJ,
  sign = TENURE_FN_SIGN,
  rsqrt = TENURE_FN_RSQRT,
  reciprocal = TENURE_FN_RECIPROCAL,
  floor = TENURE_FN_FLOOR,
  ceil = TENURE_FN_CEIL,
  round = TENURE_FN_ROUND,
  expm1 = TENURE_FN_EXPM1,
  log = TENURE_FN_LOG,
  log1p = TENURE_FN_LOG1P,
  sin = TENURE_FN_SIN,
  cos = TENURE_FN_COS,
  tan = TENURE_FN_TAN,
  tanh = TENURE_FN_TANH,
  sigmoid = TENURE_FN_SIGMOID,
  logical_not = TENURE_FN_LOGICAL_NOT,
  add = TENURE_FN_ADD,
  subtract = TENURE_FN_SUBTRACT,
  multiply = TENURE_FN_MULTIPLY,
  divide = TENURE_FN_DIVIDE,
  maximum = TENURE_FN_MAXIMUM,
  minimum = TENURE_FN_MINIMUM,
  remainder = TENURE_FN_REMAINDER,
  pow = TENURE_FN_POW,
  atan2 = TENURE_FN_ATAN2,
  equal = TENURE_FN_EQUAL,
  not_equal = TENURE_FN_NOT_EQUAL,
  less = TENURE_FN_LESS,
  less_equal = TENURE_FN_LESS_EQUAL,
  greater = TENURE_FN_GREATER,
  greater_equal = TENURE_FN_GREATER_EQUAL,
  logical_and = TENURE_FN_LOGICAL_AND,
  logical_or = TENURE_FN_LOGICAL_OR,
  logical_xor = TENURE_FN_LOGICAL_XOR,
  where = TENURE_FN_WHERE,
};

enum class Reduction : std::uint32_t {
  sum = TENURE_REDUCE_SUM,
  mean = TENURE_REDUCE_MEAN,
  max = TENURE_REDUCE_MAX,
  min = TENURE_REDUCE_MIN,
  prod = TENURE_REDUCE_PROD,
  all = TENURE_REDUCE_ALL,
  any = TENURE_REDUCE_ANY,
  argmax = TENURE_REDUCE_ARGMAX,
  argmin = TENURE_REDUCE_ARGMIN,
  norm2 = TENURE_REDUCE_NORM2,
};

// What an engine does besides functions and reductions, one by one.
enum class Operation : std::uint32_t {
  copy = TENURE_OP_COPY,
  cast = TENURE_OP_CAST,
  fill = TENURE_OP_FILL,
  contract = TENURE_OP_CONTRACT,
  gather = TENURE_OP_GATHER,
  scatter = TENURE_OP_SCATTER,
  triangle = TENURE_OP_TRIANGLE,
};

enum class Decomposition : std::uint32_t {
  cholesky = TENURE_LINALG_CHOLESKY,
  lu = TENURE_LINALG_LU,
  qr = TENURE_LINALG_QR,
  triangular_solve = TENURE_LINALG_TRIANGULAR_SOLVE,
  solve = TENURE_LINALG_SOLVE,
  eigh = TENURE_LINALG_EIGH,
  svd = TENURE_LINALG_SVD,
};

// The row of one of the functions and reductions above. find_row takes any number and throws
// InvalidArgument that names `operation`.
constexpr const abi::FunctionRow& row_of(Function function) noexcept {
  return *abi::find_function(static_cast<std::uint32_t>(function));
}
constexpr const abi::ReductionRow& row_of(Reduction reduction) noexcept {
  return *abi::find_reduction(static_cast<std::uint32_t>(reduction));
}
TENURE_API const abi::FunctionRow& find_row(Function function, const char* operation = "find_row");
TENURE_API const abi::ReductionRow& find_row(Reduction reduction, const char* operation = "find_row");

}  // namespace tenure::inline TENURE_BUILD
