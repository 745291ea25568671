// SPDX-License-Identifier: Apache-2.0
// index_values: the indices that an element access is given.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>

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

}  // namespace tenure::inline TENURE_BUILD
