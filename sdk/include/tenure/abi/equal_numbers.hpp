// SPDX-License-Identifier: Apache-2.0
// equal_numbers: whether two lists of extents or strides are the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#pragma GCC visibility push(hidden)
namespace tenure::abi {

// Few numbers are compared sooner one by one than by a call.
inline bool have_equal_numbers(std::span<const std::int64_t> a, std::span<const std::int64_t> b) noexcept {
  if (a.size() != b.size()) return false;
  std::size_t i = 0;
  while (i < a.size() && a[i] == b[i]) ++i;
  return i == a.size();
}

}  // namespace tenure::abi
#pragma GCC visibility pop
