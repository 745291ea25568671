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
// The same of a destination, whose element type is that of the result.
void require_destination_dtype(const char* operation, DType result, DType destination);
// `classes` is a set of abi::DtypeClass. Throws DTypeMismatch that lists the types that would do.
void require_dtype_class(const char* operation, std::uint32_t classes, DType actual);
// The element type of the result for operands of these types, the condition first where there is one. Throws
// DTypeMismatch.
DType result_dtype(const char* operation, const abi::FunctionRow& row, std::span<const DType> operands);

}  // namespace tenure::inline TENURE_BUILD
