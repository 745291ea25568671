// SPDX-License-Identifier: Apache-2.0
// poison: two byte patterns that no computation writes, to make stale and unwritten elements visible.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#pragma GCC visibility push(hidden)
namespace tenure::sdk::pool {

// Fills a released block: NaN as f16, bf16, f32 and f64, -1 as an integer, no bool.
inline constexpr unsigned char released_byte = 0xFF;
// Fills a block before it is handed out, as 16-bit words: another NaN in the same four types, no bool.
inline constexpr std::uint16_t unwritten_word = 0x7FFB;

inline void fill_released(void* address, std::uint64_t bytes) noexcept {
  std::memset(address, released_byte, bytes);
}

// The last of an odd number of bytes holds the half of a word.
inline void fill_unwritten(void* address, std::uint64_t bytes) noexcept {
  const std::uint64_t words = bytes / sizeof(unwritten_word);
  auto* const first = static_cast<std::uint16_t*>(address);
  std::fill_n(first, words, unwritten_word);
  std::memcpy(first + words, &unwritten_word, bytes % sizeof(unwritten_word));
}

}  // namespace tenure::sdk::pool
#pragma GCC visibility pop
