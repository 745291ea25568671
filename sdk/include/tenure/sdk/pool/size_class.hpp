// SPDX-License-Identifier: Apache-2.0
// size_class: the capacities that pooled blocks have.
#pragma once

#include <bit>
#include <cstdint>

#pragma GCC visibility push(hidden)
namespace tenure::sdk::pool {

// Index of a capacity: 64, 128, 192, the multiples of 256 up to 2 KiB, from there 8 for each doubling.
// A block wastes less than one alignment unit up to 2 KiB and at most 12.5 % of the request above.
using SizeClass = std::uint32_t;

inline constexpr std::uint64_t small_alignment_bytes = 64;
inline constexpr std::uint64_t block_alignment_bytes = 256;
inline constexpr std::uint64_t block_bytes_max = std::uint64_t{1} << 44;

namespace size_class_detail {
inline constexpr std::uint32_t small_classes = 3;    // below one alignment unit
inline constexpr std::uint32_t uniform_classes = 8;  // multiples of the unit up to 2 KiB
inline constexpr std::uint32_t first_geometric = small_classes + uniform_classes;
inline constexpr std::uint32_t first_geometric_log2 = 11;
inline constexpr std::uint32_t steps_log2 = 3;
}  // namespace size_class_detail

inline constexpr std::uint32_t size_class_count =
    size_class_detail::first_geometric +
    ((44 - size_class_detail::first_geometric_log2) << size_class_detail::steps_log2);

// The smallest class that holds `bytes`, at most block_bytes_max.
constexpr SizeClass size_class_of(std::uint64_t bytes) noexcept {
  using namespace size_class_detail;
  const std::uint64_t last = bytes == 0 ? 0 : bytes - 1;
  if (last < small_classes * small_alignment_bytes) {
    return static_cast<SizeClass>(last / small_alignment_bytes);
  }
  if (last < uniform_classes * block_alignment_bytes) {
    return small_classes + static_cast<SizeClass>(last / block_alignment_bytes);
  }
  const std::uint32_t log2 = 63U ^ static_cast<std::uint32_t>(std::countl_zero(last));
  const auto step = static_cast<std::uint32_t>(last >> (log2 - steps_log2)) - (1U << steps_log2);
  return first_geometric + ((log2 - first_geometric_log2) << steps_log2) + step;
}

constexpr std::uint64_t size_class_bytes(SizeClass size_class) noexcept {
  using namespace size_class_detail;
  if (size_class < small_classes) return (size_class + 1) * small_alignment_bytes;
  if (size_class < first_geometric) return (size_class - small_classes + 1) * block_alignment_bytes;
  const std::uint32_t log2 = first_geometric_log2 + ((size_class - first_geometric) >> steps_log2);
  const std::uint64_t step = (size_class - first_geometric) & ((1U << steps_log2) - 1);
  return (step + 1 + (1U << steps_log2)) << (log2 - steps_log2);
}

// What every block of the class is aligned to.
constexpr std::uint64_t size_class_alignment_bytes(SizeClass size_class) noexcept {
  return size_class < size_class_detail::small_classes ? small_alignment_bytes : block_alignment_bytes;
}

}  // namespace tenure::sdk::pool
#pragma GCC visibility pop
