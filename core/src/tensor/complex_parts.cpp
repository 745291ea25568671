// SPDX-License-Identifier: Apache-2.0
#include "tensor/complex_parts.hpp"

#include <string>

#include "tenure/base/validation_error.hpp"

namespace tenure::inline TENURE_BUILD {
namespace {

[[noreturn]] void throw_unsupported(const char* operation, DType from, const char* to) {
  throw ValidationError(operation, UnsupportedReinterpretation{std::string(from.name()), to});
}

}  // namespace

DType part_dtype(const char* operation, DType complex) {
  if (complex == complex64) return f32;
  if (complex == complex128) return f64;
  throw_unsupported(operation, complex, "the parts of a complex dtype");
}

DType complex_dtype(const char* operation, DType part) {
  if (part == f32) return complex64;
  if (part == f64) return complex128;
  throw_unsupported(operation, part, "a complex dtype with such parts");
}

}  // namespace tenure::inline TENURE_BUILD
