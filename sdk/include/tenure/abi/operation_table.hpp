// SPDX-License-Identifier: Apache-2.0
// operation_table: what every elementwise function and reduction takes and gives. The core validates
// with it, providers and the conformance suite read it; no rule about dtypes is written anywhere else.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "tenure/abi/dtype.hpp"

namespace tenure::abi {

// Classes of dtypes, as a set.
enum DtypeClass : std::uint32_t {
  class_boolean = 1,
  class_integer = 2,
  class_floating = 4,
  class_complex = 8,
  class_real = class_integer | class_floating,
  class_numeric = class_real | class_complex,
  class_any = class_boolean | class_numeric,
};

constexpr std::uint32_t class_of(tenure_dtype dtype) noexcept {
  if (is_boolean(dtype)) return class_boolean;
  if (is_integer(dtype)) return class_integer;
  if (is_floating(dtype)) return class_floating;
  if (is_complex(dtype)) return class_complex;
  return 0;
}

// How the result dtype follows from the operands'.
enum class ResultRule : std::uint8_t {
  same,       // the operands' dtype
  boolean,    // bool
  real_part,  // the real type of a complex dtype, any other dtype unchanged
  index       // i64
};

struct FunctionRow {
  std::uint32_t function;  // TENURE_FN_*
  std::string_view name;   // as users write it
  std::uint32_t arity;
  std::uint32_t operand_classes;  // of the operands that share one dtype
  ResultRule result;
  bool first_is_condition;  // `where`: the first operand is bool and apart from the rule
};

// expm1, log1p and sigmoid have no complex form, as in C.
inline constexpr std::array<FunctionRow, 39> function_table{{
    {TENURE_FN_NEG, "neg", 1, class_numeric, ResultRule::same, false},
    {TENURE_FN_ABS, "abs", 1, class_numeric, ResultRule::real_part, false},
    {TENURE_FN_SQRT, "sqrt", 1, class_floating | class_complex, ResultRule::same, false},
    {TENURE_FN_EXP, "exp", 1, class_floating | class_complex, ResultRule::same, false},
    {TENURE_FN_CONJ, "conj", 1, class_numeric, ResultRule::same, false},
    {TENURE_FN_SIGN, "sign", 1, class_real, ResultRule::same, false},
    {TENURE_FN_RSQRT, "rsqrt", 1, class_floating | class_complex, ResultRule::same, false},
    {TENURE_FN_RECIPROCAL, "reciprocal", 1, class_floating | class_complex, ResultRule::same, false},
    {TENURE_FN_FLOOR, "floor", 1, class_real, ResultRule::same, false},
    {TENURE_FN_CEIL, "ceil", 1, class_real, ResultRule::same, false},
    {TENURE_FN_ROUND, "round", 1, class_real, ResultRule::same, false},
    {TENURE_FN_EXPM1, "expm1", 1, class_floating, ResultRule::same, false},
    {TENURE_FN_LOG, "log", 1, class_floating | class_complex, ResultRule::same, false},
    {TENURE_FN_LOG1P, "log1p", 1, class_floating, ResultRule::same, false},
    {TENURE_FN_SIN, "sin", 1, class_floating | class_complex, ResultRule::same, false},
    {TENURE_FN_COS, "cos", 1, class_floating | class_complex, ResultRule::same, false},
    {TENURE_FN_TAN, "tan", 1, class_floating | class_complex, ResultRule::same, false},
    {TENURE_FN_TANH, "tanh", 1, class_floating | class_complex, ResultRule::same, false},
    {TENURE_FN_SIGMOID, "sigmoid", 1, class_floating, ResultRule::same, false},
    {TENURE_FN_LOGICAL_NOT, "logical_not", 1, class_boolean, ResultRule::boolean, false},
    {TENURE_FN_ADD, "add", 2, class_numeric, ResultRule::same, false},
    {TENURE_FN_SUBTRACT, "subtract", 2, class_numeric, ResultRule::same, false},
    {TENURE_FN_MULTIPLY, "multiply", 2, class_numeric, ResultRule::same, false},
    {TENURE_FN_DIVIDE, "divide", 2, class_numeric, ResultRule::same, false},
    {TENURE_FN_MAXIMUM, "maximum", 2, class_real, ResultRule::same, false},
    {TENURE_FN_MINIMUM, "minimum", 2, class_real, ResultRule::same, false},
    {TENURE_FN_REMAINDER, "remainder", 2, class_real, ResultRule::same, false},
    {TENURE_FN_POW, "pow", 2, class_numeric, ResultRule::same, false},
    {TENURE_FN_ATAN2, "atan2", 2, class_floating, ResultRule::same, false},
    {TENURE_FN_EQUAL, "equal", 2, class_any, ResultRule::boolean, false},
    {TENURE_FN_NOT_EQUAL, "not_equal", 2, class_any, ResultRule::boolean, false},
    {TENURE_FN_LESS, "less", 2, class_real, ResultRule::boolean, false},
    {TENURE_FN_LESS_EQUAL, "less_equal", 2, class_real, ResultRule::boolean, false},
    {TENURE_FN_GREATER, "greater", 2, class_real, ResultRule::boolean, false},
    {TENURE_FN_GREATER_EQUAL, "greater_equal", 2, class_real, ResultRule::boolean, false},
    {TENURE_FN_LOGICAL_AND, "logical_and", 2, class_boolean, ResultRule::boolean, false},
    {TENURE_FN_LOGICAL_OR, "logical_or", 2, class_boolean, ResultRule::boolean, false},
    {TENURE_FN_LOGICAL_XOR, "logical_xor", 2, class_boolean, ResultRule::boolean, false},
    {TENURE_FN_WHERE, "where", 3, class_any, ResultRule::same, true},
}};

struct ReductionRow {
  std::uint32_t function;  // TENURE_REDUCE_*
  std::string_view name;
  std::uint32_t operand_classes;
  ResultRule result;
  bool empty_is_defined;  // false: a reduced axis of extent 0 is an error
};

inline constexpr std::array<ReductionRow, 10> reduction_table{{
    {TENURE_REDUCE_SUM, "sum", class_numeric, ResultRule::same, true},
    {TENURE_REDUCE_MEAN, "mean", class_floating | class_complex, ResultRule::same, true},
    {TENURE_REDUCE_MAX, "max", class_real, ResultRule::same, false},
    {TENURE_REDUCE_MIN, "min", class_real, ResultRule::same, false},
    {TENURE_REDUCE_PROD, "prod", class_numeric, ResultRule::same, true},
    {TENURE_REDUCE_ALL, "all", class_boolean, ResultRule::boolean, true},
    {TENURE_REDUCE_ANY, "any", class_boolean, ResultRule::boolean, true},
    {TENURE_REDUCE_ARGMAX, "argmax", class_real, ResultRule::index, false},
    {TENURE_REDUCE_ARGMIN, "argmin", class_real, ResultRule::index, false},
    {TENURE_REDUCE_NORM2, "norm2", class_floating | class_complex, ResultRule::real_part, true},
}};

// The place of each number in function_table; its size where no function has the number.
inline constexpr auto function_places = [] {
  std::array<std::uint8_t, TENURE_FN_WHERE + 1> places{};
  places.fill(static_cast<std::uint8_t>(function_table.size()));
  for (std::size_t place = 0; place < function_table.size(); ++place) {
    places[function_table[place].function] = static_cast<std::uint8_t>(place);
  }
  return places;
}();

constexpr const FunctionRow* find_function(std::uint32_t function) noexcept {
  if (function >= function_places.size()) return nullptr;
  const std::size_t place = function_places[function];
  return place < function_table.size() ? &function_table[place] : nullptr;
}

constexpr const ReductionRow* find_reduction(std::uint32_t function) noexcept {
  for (const ReductionRow& row : reduction_table) {
    if (row.function == function) return &row;
  }
  return nullptr;
}

// The dtype of the result of a function or reduction whose operands (apart from a condition) have `operand`.
constexpr tenure_dtype result_dtype(ResultRule rule, tenure_dtype operand) noexcept {
  switch (rule) {
    case ResultRule::same:
      return operand;
    case ResultRule::boolean:
      return {TENURE_DTYPE_BOOL, 8, 1};
    case ResultRule::real_part:
      if (is_complex(operand)) {
        return {TENURE_DTYPE_FLOAT, static_cast<std::uint8_t>(operand.bits / 2), 1};
      }
      return operand;
    case ResultRule::index:
      return {TENURE_DTYPE_INT, 64, 1};
  }
  return operand;
}

constexpr tenure_dtype result_dtype(const FunctionRow& row, tenure_dtype operand) noexcept {
  return result_dtype(row.result, operand);
}

constexpr tenure_dtype result_dtype(const ReductionRow& row, tenure_dtype operand) noexcept {
  return result_dtype(row.result, operand);
}

}  // namespace tenure::abi
