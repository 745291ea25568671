// SPDX-License-Identifier: Apache-2.0
// element_type: the C++ type of a dtype that is known at run time.
#pragma once

#include <complex>
#include <cstdint>
#include <stdexcept>
#include <type_traits>

#include "tenure/tenure.hpp"

namespace tenure::test {

// Calls visit(std::type_identity<T>()) with the type of the dtype's elements.
template <class Visit>
decltype(auto) visit_element_type(DType dtype, const Visit& visit) {
#define TENURE_VISIT(T) \
  if (dtype == dtype_of<T>()) return visit(std::type_identity<T>())
  TENURE_VISIT(bool);
  TENURE_VISIT(std::int8_t);
  TENURE_VISIT(std::int16_t);
  TENURE_VISIT(std::int32_t);
  TENURE_VISIT(std::int64_t);
  TENURE_VISIT(std::uint8_t);
  TENURE_VISIT(std::uint16_t);
  TENURE_VISIT(std::uint32_t);
  TENURE_VISIT(std::uint64_t);
  TENURE_VISIT(float16);
  TENURE_VISIT(bfloat16);
  TENURE_VISIT(float);
  TENURE_VISIT(double);
  TENURE_VISIT(std::complex<float>);
  TENURE_VISIT(std::complex<double>);
#undef TENURE_VISIT
  throw std::invalid_argument("a dtype without a C++ type");
}

}  // namespace tenure::test
