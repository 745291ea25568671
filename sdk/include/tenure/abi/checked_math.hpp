// SPDX-License-Identifier: Apache-2.0
// checked_math: integer arithmetic that says when it overflows.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>

namespace tenure::abi {

// a + b into `out`. False on overflow, and then `out` is the wrapped value.
template <std::integral T>
[[nodiscard]] constexpr bool checked_add(T a, T b, T& out) noexcept {
  return !__builtin_add_overflow(a, b, &out);
}

// a - b into `out`. False on overflow.
template <std::integral T>
[[nodiscard]] constexpr bool checked_subtract(T a, T b, T& out) noexcept {
  return !__builtin_sub_overflow(a, b, &out);
}

// a * b into `out`. False on overflow.
template <std::integral T>
[[nodiscard]] constexpr bool checked_multiply(T a, T b, T& out) noexcept {
  return !__builtin_mul_overflow(a, b, &out);
}

constexpr bool is_power_of_two(std::uint64_t value) noexcept {
  return value != 0 && (value & (value - 1)) == 0;
}

// `value` rounded up to a multiple of `alignment`, a power of two, into `out`. False on overflow.
[[nodiscard]] constexpr bool checked_align_up(std::uint64_t value, std::uint64_t alignment,
                                              std::uint64_t& out) noexcept {
  if (!checked_add(value, alignment - 1, out)) return false;
  out &= ~(alignment - 1);
  return true;
}

}  // namespace tenure::abi
