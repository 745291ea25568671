// SPDX-License-Identifier: Apache-2.0
// float16: IEEE 754 binary16 as a storage type.
#pragma once

#include <cstdint>

#include "tenure/config.h"

namespace tenure::inline TENURE_BUILD {

// Holds a value; arithmetic happens in the float that it converts to. Every conversion into it rounds once,
// to nearest with ties to even; what is too large becomes infinity and a NaN stays a quiet NaN.
class float16 {
 public:
  float16() = default;
  // Also exact for float and int arguments, which widen without rounding.
  TENURE_API explicit float16(double value) noexcept;
  TENURE_API operator float() const noexcept;

  static constexpr float16 from_bits(std::uint16_t bits) noexcept {
    float16 value{};
    value.bits_ = bits;
    return value;
  }
  constexpr std::uint16_t bits() const noexcept { return bits_; }

 private:
  std::uint16_t bits_;
};

}  // namespace tenure::inline TENURE_BUILD
