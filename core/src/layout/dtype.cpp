// SPDX-License-Identifier: Apache-2.0
#include "tenure/layout/dtype.hpp"

#include <string>

#include "tenure/base/validation_error.hpp"

namespace tenure::inline TENURE_BUILD {

DType::DType(tenure_dtype dtype) : number_(std::bit_cast<std::uint32_t>(dtype)) {
  if (abi::find_dtype(dtype) == nullptr) {
    throw ValidationError(
        "DType", UnsupportedDType{"(code " + std::to_string(dtype.code) + ", " + std::to_string(dtype.bits) +
                                  " bits, " + std::to_string(dtype.lanes) + " lanes)"});
  }
}

}  // namespace tenure::inline TENURE_BUILD
