// SPDX-License-Identifier: Apache-2.0
#include "execution/dtype_rule.hpp"

#include "tenure/base/validation_error.hpp"

namespace tenure::inline TENURE_BUILD {
namespace {

std::string names_of(std::uint32_t classes) {
  std::string names;
  std::size_t count = 0;
  for (const abi::DtypeRow& row : abi::dtype_table) {
    if ((abi::class_of(row.dtype) & classes) == 0) continue;
    names += (count++ == 0 ? "" : ", ") + std::string(row.name);
  }
  return count == 1 ? names : "one of " + names;
}

}  // namespace

void throw_unequal_dtypes(const char* operation, DType expected, DType actual) {
  throw ValidationError(operation, DTypeMismatch{std::string(expected.name()), std::string(actual.name())});
}

void throw_destination_dtype(const char* operation, DType result, DType destination) {
  throw ValidationError(operation, DTypeMismatch{std::string(result.name()), std::string(destination.name()),
                                                 DTypeRule::destination});
}

void throw_wrong_class(const char* operation, std::uint32_t classes, DType actual) {
  throw ValidationError(operation,
                        DTypeMismatch{names_of(classes), std::string(actual.name()), DTypeRule::taken});
}

void throw_wrong_operands(const char* operation, const abi::FunctionRow& row,
                          std::span<const DType> operands) {
  std::span<const DType> governed = operands;
  if (row.first_is_condition) {
    require_equal_dtypes(operation, boolean, operands.front());
    governed = operands.subspan(1);
  }
  for (const DType dtype : governed) require_equal_dtypes(operation, governed.front(), dtype);
  throw_wrong_class(operation, row.operand_classes, governed.front());
}

}  // namespace tenure::inline TENURE_BUILD
