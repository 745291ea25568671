// SPDX-License-Identifier: Apache-2.0
#include "execution/broadcast.hpp"

#include "tenure/base/validation_error.hpp"

namespace tenure::inline TENURE_BUILD {
namespace {

void require_equal_rank(const char* operation, std::size_t expected, const Layout& operand, RankRule rule) {
  const auto rank = static_cast<std::int64_t>(expected);
  if (operand.rank() != rank) {
    throw ValidationError(operation, RankMismatch{.expected = rank, .actual = operand.rank(), .rule = rule});
  }
}

[[noreturn]] void throw_mismatch(const char* operation, std::span<const std::int64_t> left,
                                 std::span<const std::int64_t> right, ShapeRule rule) {
  throw ValidationError(operation,
                        ShapeMismatch{{left.begin(), left.end()}, {right.begin(), right.end()}, rule});
}

}  // namespace

void broadcast_with(const char* operation, Extents& extents, const Layout& operand) {
  require_equal_rank(operation, extents.size(), operand, RankRule::operands);
  const auto other = operand.extents();
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    if (extents[axis] == other[axis] || other[axis] == 1) continue;
    if (extents[axis] != 1) throw_mismatch(operation, span_of(extents), other, ShapeRule::broadcast);
    extents[axis] = other[axis];
  }
}

void throw_extents(const char* operation, std::span<const std::int64_t> extents, const Layout& destination) {
  require_equal_rank(operation, extents.size(), destination, RankRule::destination);
  throw_mismatch(operation, extents, destination.extents(), ShapeRule::destination);
}

}  // namespace tenure::inline TENURE_BUILD
