// SPDX-License-Identifier: Apache-2.0
// index_values: the indices that an element access is given.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <utility>

#include "tenure/layout/layout.hpp"
#include "tenure/tensor/forward.hpp"

namespace tenure::inline TENURE_BUILD {

// One number for each axis. Does not compile when a static rank says otherwise; a dynamic one is checked
// where the indices are used.
template <int Rank, std::integral... Index>
constexpr std::array<std::int64_t, sizeof...(Index)> index_values(Index... index) noexcept {
  static_assert(Rank == dynamic_rank || Rank == static_cast<int>(sizeof...(Index)),
                "An element access takes as many indices as the tensor has axes.");
  return {static_cast<std::int64_t>(index)...};
}

// Bit i: number i is more than a std::int64_t holds.
template <std::integral... Index>
constexpr std::uint64_t unsigned_axes(Index... index) noexcept {
  std::uint64_t axes = 0;
  std::uint64_t bit = 1;
  ((axes |= std::in_range<std::int64_t>(index) ? 0 : bit, bit <<= 1), ...);
  return axes;
}

// The element that an index of at() names. Throws RankMismatch, IndexOutOfBounds.
template <int Rank, std::integral... Index>
std::int64_t element_at(const Layout& layout, Index... index) {
  const auto values = index_values<Rank>(index...);
  if (const auto element = layout.find_element(values)) return *element;
  layout.throw_outside("at", values, unsigned_axes(index...));
}

}  // namespace tenure::inline TENURE_BUILD
