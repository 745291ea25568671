// SPDX-License-Identifier: Apache-2.0
#include "tenure/layout/bfloat16.hpp"

#include <bit>

#include "layout/small_float.hpp"

namespace tenure::inline TENURE_BUILD {

bfloat16::bfloat16(double value) noexcept : bits_(round_to_small_float<8, 7>(value)) {}

bfloat16::operator float() const noexcept {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits_) << 16);
}

}  // namespace tenure::inline TENURE_BUILD
