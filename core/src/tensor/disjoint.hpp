// SPDX-License-Identifier: Apache-2.0
// disjoint: whether two readings of memory share a byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "tenure/base/disjoint_error.hpp"
#include "tenure/layout/search_answer.hpp"
#include "tenure/tensor/view_state.hpp"

namespace tenure::inline TENURE_BUILD {

// The output `output` and the input `input` of an operation.
constexpr DisjointError::Operands output_and_input(std::size_t output, std::size_t input) noexcept {
  return {{DisjointError::Role::output, output}, {DisjointError::Role::input, input}};
}
constexpr DisjointError::Operands two_outputs(std::size_t first, std::size_t second) noexcept {
  return {{DisjointError::Role::output, first}, {DisjointError::Role::output, second}};
}

// All are exact, and throw DisjointError, with a witness when the overlap is proven, also when it cannot be
// decided.
void require_disjoint(const char* operation, const ViewState& a, const ViewState& b,
                      DisjointError::Operands operands, std::uint64_t work_limit = search_work_limit_default);
// Of every pair of them; the error has the positions of the first pair that fails.
void require_disjoint(const char* operation, std::span<const ViewState> states, DisjointError::Role role,
                      std::uint64_t work_limit = search_work_limit_default);
// No index of the output shares a byte with another index of the input, which broadcasts to it.
void require_same_index(const char* operation, const ViewState& output, const ViewState& input,
                        DisjointError::Operands operands,
                        std::uint64_t work_limit = search_work_limit_default);
// Every index names the same bytes in both.
bool is_same_reading(const ViewState& a, const ViewState& b) noexcept;

}  // namespace tenure::inline TENURE_BUILD
