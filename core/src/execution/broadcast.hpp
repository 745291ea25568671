// SPDX-License-Identifier: Apache-2.0
// broadcast: the extents that operands have in common.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <span>

#include "tenure/abi/equal_numbers.hpp"
#include "tenure/layout/layout.hpp"

namespace tenure::inline TENURE_BUILD {

using Extents = boost::container::small_vector<std::int64_t, 6>;

inline std::span<const std::int64_t> span_of(const Extents& extents) noexcept {
  return {extents.data(), extents.size()};
}

// Widens `extents`, the common ones so far, by those of another operand: equal rank, and on each axis equal
// extents or one of them 1. Throws RankMismatch, ShapeMismatch.
void broadcast_with(const char* operation, Extents& extents, const Layout& operand);
[[noreturn]] void throw_extents(const char* operation, std::span<const std::int64_t> extents,
                                const Layout& destination);
// Throws RankMismatch, ShapeMismatch unless the destination has exactly these extents.
inline void require_extents(const char* operation, std::span<const std::int64_t> extents,
                            const Layout& destination) {
  if (!abi::have_equal_numbers(extents, destination.extents()))
    throw_extents(operation, extents, destination);
}

}  // namespace tenure::inline TENURE_BUILD
