// SPDX-License-Identifier: Apache-2.0
#include "tensor/complex_parts.hpp"

#include <string>

#include "layout/complex_dtype.hpp"
#include "tenure/base/validation_error.hpp"

namespace tenure::inline TENURE_BUILD {
namespace {

[[noreturn]] void throw_unsupported(const char* operation, DType from, const char* to) {
  throw ValidationError(operation, UnsupportedReinterpretation{std::string(from.name()), to});
}

}  // namespace

DType part_dtype(const char* operation, DType complex) {
  if (const auto part = part_of(complex)) return *part;
  throw_unsupported(operation, complex, "the parts of a complex dtype");
}

DType complex_dtype(const char* operation, DType part) {
  if (const auto complex = complex_of(part)) return *complex;
  throw_unsupported(operation, part, "a complex dtype with such parts");
}

}  // namespace tenure::inline TENURE_BUILD
