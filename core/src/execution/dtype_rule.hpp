// SPDX-License-Identifier: Apache-2.0
// dtype_rule: which element types an operation takes, checked against the operation table.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "tenure/abi/operation_table.hpp"
#include "tenure/layout/dtype.hpp"

namespace tenure::inline TENURE_BUILD {

[[noreturn]] void throw_unequal_dtypes(const char* operation, DType expected, DType actual);

// Throws DTypeMismatch that names `cast`.
inline void require_equal_dtypes(const char* operation, DType expected, DType actual) {
  if (expected != actual) throw_unequal_dtypes(operation, expected, actual);
}
[[noreturn]] void throw_destination_dtype(const char* operation, DType result, DType destination);
// The same of a destination, whose element type is that of the result.
inline void require_destination_dtype(const char* operation, DType result, DType destination) {
  if (result != destination) throw_destination_dtype(operation, result, destination);
}
[[noreturn]] void throw_wrong_class(const char* operation, std::uint32_t classes, DType actual);
// `classes` is a set of abi::DtypeClass. Throws DTypeMismatch that lists the types that would do.
inline void require_dtype_class(const char* operation, std::uint32_t classes, DType actual) {
  if ((abi::class_of(actual.abi()) & classes) == 0) throw_wrong_class(operation, classes, actual);
}
// What is wrong with operands of these types.
[[noreturn, gnu::cold]] void throw_wrong_operands(const char* operation, const abi::FunctionRow& row,
                                                  std::span<const DType> operands);
// The element type of the result for operands of these types, the condition first where there is one. Throws
// DTypeMismatch.
inline DType result_dtype(const char* operation, const abi::FunctionRow& row,
                          std::span<const DType> operands) {
  const DType governing = operands.back();
  bool is_right = (abi::class_of(governing.abi()) & row.operand_classes) != 0;
  if (row.first_is_condition) is_right &= operands.front() == boolean;
  for (const DType dtype : operands.subspan(row.first_is_condition ? 1 : 0)) is_right &= dtype == governing;
  if (!is_right) throw_wrong_operands(operation, row, operands);
  return row.result == abi::ResultRule::same ? governing : DType(abi::result_dtype(row, governing.abi()));
}

}  // namespace tenure::inline TENURE_BUILD
