// SPDX-License-Identifier: Apache-2.0
#include "tensor/disjoint.hpp"

#include <cstdint>

#include "tenure/base/disjoint_error.hpp"
#include "tenure/layout/overlap.hpp"

namespace tenure::inline TENURE_BUILD {
namespace {

// Whether two readings may share a byte at all, and if so where both count from.
class CommonMemory {
 public:
  CommonMemory(const ViewState& a, const ViewState& b) noexcept
      : is_one_allocation_(a.record() != nullptr && same_allocation(a.place(), b.place())),
        // Memory without a host address meets readings of its own allocation only.
        is_possible_(is_one_allocation_ || (a.address() != nullptr && b.address() != nullptr)) {}

  bool is_possible() const noexcept { return is_possible_; }
  // From its first byte where both lie in one provider's allocation, which each map may show at an address
  // of its own; by host address otherwise.
  PlacedLayout place(const ViewState& state, const Layout& layout) const noexcept {
    return {is_one_allocation_ ? 0 : reinterpret_cast<std::uintptr_t>(state.address()), layout,
            state.dtype().bytes()};
  }

 private:
  bool is_one_allocation_;
  bool is_possible_;
};

// Whether the bytes between the lowest and the highest of one reading and those of the other one are apart,
// in host memory without a record, where an address says all. Most operands are, and this is decided soonest.
// Of readings without elements any answer is right.
bool lie_apart(const ViewState& a, const ViewState& b) noexcept {
  if (a.record() != nullptr || b.record() != nullptr) return false;
  struct Range {
    std::uintptr_t begin;
    std::uintptr_t end;
  };
  // Unsigned sums of what lies within an allocation do not wrap.
  const auto range_of = [](const ViewState& state) noexcept {
    const std::size_t bytes = state.dtype().bytes();
    const auto extents = state.layout().extents();
    const auto strides = state.layout().strides();
    Range range{};
    range.begin = reinterpret_cast<std::uintptr_t>(state.address()) +
                  static_cast<std::uintptr_t>(state.layout().offset()) * bytes;
    range.end = range.begin + bytes;
    for (std::size_t axis = 0; axis < extents.size(); ++axis) {
      const std::uintptr_t distance =
          static_cast<std::uintptr_t>(extents[axis] - 1) * static_cast<std::uintptr_t>(strides[axis]) * bytes;
      (strides[axis] < 0 ? range.begin : range.end) += distance;
    }
    return range;
  };
  const Range range_a = range_of(a);
  const Range range_b = range_of(b);
  return range_a.end <= range_b.begin || range_b.end <= range_a.begin;
}

// Of a verdict that is not no.
[[noreturn, gnu::cold]] void throw_not_apart(const char* operation, const OverlapVerdict& verdict,
                                             const IndexPair& witness, DisjointError::Operands operands,
                                             DisjointError::Rule rule) {
  if (verdict.answer == SearchAnswer::yes) {
    throw DisjointError(operation, witness, verdict.work, operands, rule);
  }
  throw DisjointError(operation, verdict.work, operands, rule);
}

}  // namespace

void require_disjoint(const char* operation, const ViewState& a, const ViewState& b,
                      DisjointError::Operands operands, std::uint64_t work_limit) {
  if (lie_apart(a, b)) return;
  const CommonMemory common(a, b);
  if (!common.is_possible()) return;
  IndexPair witness;
  const OverlapVerdict verdict =
      decide_overlap(common.place(a, a.layout()), common.place(b, b.layout()), work_limit, &witness);
  if (verdict.answer == SearchAnswer::no) return;
  throw_not_apart(operation, verdict, witness, operands, DisjointError::Rule::no_common_byte);
}

void require_disjoint(const char* operation, std::span<const ViewState> states, DisjointError::Role role,
                      std::uint64_t work_limit) {
  for (std::size_t second = 1; second < states.size(); ++second) {
    for (std::size_t first = 0; first < second; ++first) {
      require_disjoint(operation, states[first], states[second], {{role, first}, {role, second}}, work_limit);
    }
  }
}

void require_same_index(const char* operation, const ViewState& output, const ViewState& input,
                        DisjointError::Operands operands, std::uint64_t work_limit) {
  if (lie_apart(output, input) || is_same_reading(output, input)) return;
  const CommonMemory common(output, input);
  if (!common.is_possible()) return;
  const PlacedLayout written = common.place(output, output.layout());
  // Most operands are apart, also before they are broadcast.
  if (decide_overlap(written, common.place(input, input.layout()), work_limit).answer == SearchAnswer::no)
    return;
  const Layout broadcast = input.layout().broadcast_to(output.layout().extents());
  IndexPair witness;
  const OverlapVerdict verdict =
      decide_crossing(written, common.place(input, broadcast), work_limit, &witness);
  if (verdict.answer == SearchAnswer::no) return;
  throw_not_apart(operation, verdict, witness, operands, DisjointError::Rule::same_index);
}

bool is_same_reading(const ViewState& a, const ViewState& b) noexcept {
  return a.record() == b.record() && a.address() == b.address() && a.dtype().bytes() == b.dtype().bytes() &&
         a.layout() == b.layout();
}

}  // namespace tenure::inline TENURE_BUILD
