// SPDX-License-Identifier: Apache-2.0
#include "tensor/disjoint.hpp"

#include <cstdint>

#include "tenure/base/disjoint_error.hpp"
#include "tenure/layout/overlap.hpp"

namespace tenure::inline TENURE_BUILD {
namespace {

// Host memory is compared by address; of other memory only readings of one allocation can meet.
bool may_overlap(const ViewState& a, const ViewState& b) noexcept {
  if (a.record() == nullptr && b.record() == nullptr) return true;
  return same_allocation(a.place(), b.place());
}

PlacedLayout placed(const ViewState& state) noexcept {
  const bool by_address = state.record() == nullptr;
  return {by_address ? reinterpret_cast<std::uintptr_t>(state.address()) : 0, state.layout(),
          state.dtype().bytes()};
}

void require_disjoint(const char* operation, const ViewState& a, const ViewState& b,
                      DisjointError::Operands operands) {
  if (!may_overlap(a, b)) return;
  const OverlapVerdict verdict = decide_overlap(placed(a), placed(b));
  if (verdict.answer == SearchAnswer::no) return;
  if (verdict.witness) throw DisjointError(operation, *verdict.witness, verdict.work, operands);
  throw DisjointError(operation, verdict.work, operands);
}

}  // namespace

void require_disjoint(const char* operation, const ViewState& a, const ViewState& b) {
  require_disjoint(operation, a, b, DisjointError::Operands{});
}

void require_disjoint(const char* operation, std::span<const ViewState> states) {
  for (std::size_t second = 1; second < states.size(); ++second) {
    for (std::size_t first = 0; first < second; ++first) {
      require_disjoint(operation, states[first], states[second], {first, second});
    }
  }
}

bool is_same_reading(const ViewState& a, const ViewState& b) noexcept {
  return a.record() == b.record() && a.address() == b.address() && a.dtype().bytes() == b.dtype().bytes() &&
         a.layout() == b.layout();
}

}  // namespace tenure::inline TENURE_BUILD
