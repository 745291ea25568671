// SPDX-License-Identifier: Apache-2.0
// canary: known bytes beside a block that show who wrote past its ends.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

#pragma GCC visibility push(hidden)
namespace tenure::sdk::pool {

inline constexpr unsigned char canary_byte = 0xA5;
inline constexpr std::uint64_t canary_bytes = 64;

inline void write_canary(std::span<unsigned char> zone) noexcept {
  std::memset(zone.data(), canary_byte, zone.size());
}

// Index of the first byte that is not as written.
inline std::optional<std::uint64_t> find_damage(std::span<const unsigned char> zone) noexcept {
  const auto damage =
      std::find_if(zone.begin(), zone.end(), [](unsigned char byte) { return byte != canary_byte; });
  if (damage == zone.end()) return std::nullopt;
  return static_cast<std::uint64_t>(damage - zone.begin());
}

}  // namespace tenure::sdk::pool
#pragma GCC visibility pop
