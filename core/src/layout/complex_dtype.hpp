// SPDX-License-Identifier: Apache-2.0
// complex_dtype: which dtype of complex numbers has which dtype of parts.
#pragma once

#include <array>
#include <optional>

#include "tenure/layout/dtype.hpp"

namespace tenure::inline TENURE_BUILD {

struct ComplexDType {
  DType complex;
  DType part;
};
inline constexpr std::array complex_dtypes{ComplexDType{complex64, f32}, ComplexDType{complex128, f64}};

constexpr std::optional<DType> part_of(DType complex) noexcept {
  for (const ComplexDType& dtype : complex_dtypes) {
    if (dtype.complex == complex) return dtype.part;
  }
  return std::nullopt;
}
constexpr std::optional<DType> complex_of(DType part) noexcept {
  for (const ComplexDType& dtype : complex_dtypes) {
    if (dtype.part == part) return dtype.complex;
  }
  return std::nullopt;
}

}  // namespace tenure::inline TENURE_BUILD
