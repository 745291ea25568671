// SPDX-License-Identifier: Apache-2.0
// disjoint: whether two readings of memory share a byte.
#pragma once

#include <cstdint>
#include <span>

#include "tenure/layout/search_answer.hpp"
#include "tenure/tensor/view_state.hpp"

namespace tenure::inline TENURE_BUILD {

// Exact. Throws DisjointError, with a witness when the overlap is proven, also when it cannot be decided.
void require_disjoint(const char* operation, const ViewState& a, const ViewState& b,
                      std::uint64_t work_limit = search_work_limit_default);
// Of every pair of them; the error has the positions of the first pair that fails.
void require_disjoint(const char* operation, std::span<const ViewState> states,
                      std::uint64_t work_limit = search_work_limit_default);
// Every index names the same bytes in both.
bool is_same_reading(const ViewState& a, const ViewState& b) noexcept;

}  // namespace tenure::inline TENURE_BUILD
