// SPDX-License-Identifier: Apache-2.0
#include "tensor/disjoint.hpp"

#include <cstdint>

#include "tenure/base/disjoint_error.hpp"
#include "tenure/layout/overlap.hpp"

namespace tenure::inline TENURE_BUILD {
namespace {

// From its first byte where both lie in one provider's allocation, which each map may show at an address of
// its own; by host address otherwise.
PlacedLayout placed(const ViewState& state, bool in_one_allocation) noexcept {
  return {in_one_allocation ? 0 : reinterpret_cast<std::uintptr_t>(state.address()), state.layout(),
          state.dtype().bytes()};
}

void require_disjoint(const char* operation, const ViewState& a, const ViewState& b,
                      DisjointError::Operands operands, std::uint64_t work_limit) {
  const bool in_one_allocation = a.record() != nullptr && same_allocation(a.place(), b.place());
  // Memory without a host address meets readings of its own allocation only.
  if (!in_one_allocation && (a.address() == nullptr || b.address() == nullptr)) return;
  const OverlapVerdict verdict =
      decide_overlap(placed(a, in_one_allocation), placed(b, in_one_allocation), work_limit);
  if (verdict.answer == SearchAnswer::no) return;
  if (verdict.witness) throw DisjointError(operation, *verdict.witness, verdict.work, operands);
  throw DisjointError(operation, verdict.work, operands);
}

}  // namespace

void require_disjoint(const char* operation, const ViewState& a, const ViewState& b,
                      std::uint64_t work_limit) {
  require_disjoint(operation, a, b, DisjointError::Operands{}, work_limit);
}

void require_disjoint(const char* operation, std::span<const ViewState> states, std::uint64_t work_limit) {
  for (std::size_t second = 1; second < states.size(); ++second) {
    for (std::size_t first = 0; first < second; ++first) {
      require_disjoint(operation, states[first], states[second], {first, second}, work_limit);
    }
  }
}

bool is_same_reading(const ViewState& a, const ViewState& b) noexcept {
  return a.record() == b.record() && a.address() == b.address() && a.dtype().bytes() == b.dtype().bytes() &&
         a.layout() == b.layout();
}

}  // namespace tenure::inline TENURE_BUILD
