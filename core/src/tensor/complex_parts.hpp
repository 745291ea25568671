// SPDX-License-Identifier: Apache-2.0
// complex_parts: the dtypes of complex numbers and of their parts.
#pragma once

#include "tenure/layout/dtype.hpp"

namespace tenure::inline TENURE_BUILD {

// Of the parts of a complex dtype, and of the complex numbers that have such parts. Throw
// UnsupportedReinterpretation.
DType part_dtype(const char* operation, DType complex);
DType complex_dtype(const char* operation, DType part);

}  // namespace tenure::inline TENURE_BUILD
