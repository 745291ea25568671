// SPDX-License-Identifier: Apache-2.0
// scalar_element: a scalar of the contract as an element that kernels read.
#pragma once

#include <cstddef>
#include <cstring>

#include "tenure/provider_engine.h"

namespace tenure::cpu {

// With the alignment that every dtype wants, which a scalar of the contract lacks.
struct alignas(16) ScalarElement {
  std::byte bytes[16];
};

inline ScalarElement to_element(const tenure_scalar& scalar) noexcept {
  ScalarElement element;
  std::memcpy(element.bytes, scalar.value, sizeof element.bytes);
  return element;
}

}  // namespace tenure::cpu
