// SPDX-License-Identifier: Apache-2.0
// scalar_number: the numbers 0 and 1 as scalars of a dtype.
#pragma once

#include <cstdint>

#include "tenure/provider_engine.h"

namespace tenure::cpu {

// 0 or 1 as a scalar of a dtype that can be multiplied.
tenure_scalar number(tenure_dtype dtype, std::uint8_t value) noexcept;

// Compares numbers, so that -0 is 0.
bool is_number(const tenure_scalar& scalar, std::uint8_t value) noexcept;

}  // namespace tenure::cpu
