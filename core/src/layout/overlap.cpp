// SPDX-License-Identifier: Apache-2.0
#include "tenure/layout/overlap.hpp"

#include <cstdlib>
#include <vector>

#include "layout/bounded_equation.hpp"
#include "tenure/base/validation_error.hpp"

namespace tenure::inline TENURE_BUILD {

namespace {

// The first and the last byte that an operand reaches.
struct ByteReach {
  Integer128 first;
  Integer128 last;
};

[[noreturn, gnu::cold]] void throw_too_wide() {
  throw ValidationError("decide_overlap", IntegerOverflow{"reach in bytes"});
}

ByteReach byte_reach(const PlacedLayout& placed, const ElementReach& reach) {
  const auto bytes = static_cast<Integer128>(placed.element_bytes);
  const Integer128 first = placed.address_bytes + bytes * reach.lowest;
  const Integer128 last = placed.address_bytes + bytes * reach.highest + (bytes - 1);
  if (last - first > INT64_MAX) throw_too_wide();
  return {first, last};
}

// One factor for each axis of more than one index: the index itself or, seen from the other end, what is left
// to the last one.
void add_axes(BoundedEquation& equation, const Layout& layout, std::int64_t unit_bytes) noexcept {
  for (std::int64_t axis = 0; axis < layout.rank(); ++axis) {
    const std::int64_t distance = std::abs(layout.stride(axis));
    if (layout.extent(axis) > 1 && distance != 0)
      equation.add(distance * unit_bytes, layout.extent(axis) - 1);
  }
}

// Reads the factors back. `from_low` says whether a factor of zero is the low end of the axis.
std::vector<std::int64_t> index_of(const BoundedEquation& equation, std::size_t& variable,
                                   const Layout& layout, bool from_low) {
  std::vector<std::int64_t> index(static_cast<std::size_t>(layout.rank()));
  for (std::int64_t axis = 0; axis < layout.rank(); ++axis) {
    if (layout.extent(axis) == 1 || layout.stride(axis) == 0) continue;
    const auto factor = static_cast<std::int64_t>(equation.factor(variable++));
    const bool as_is = (layout.stride(axis) > 0) == from_low;
    index[static_cast<std::size_t>(axis)] = as_is ? factor : layout.extent(axis) - 1 - factor;
  }
  return index;
}

// Walking a up from its first byte and b down from its last one, the two meet when the ways add up to the
// distance between those bytes. Elements of equal size on one grid meet whole, otherwise single bytes count.
// Apart from decide_overlap, whose quick answers would pay for the equation's place on the stack.
[[gnu::noinline]] OverlapVerdict search_overlap(const PlacedLayout& a, const PlacedLayout& b,
                                                const ByteReach& bytes_a, const ByteReach& bytes_b,
                                                std::uint64_t work_limit) {
  const auto size_a = static_cast<std::int64_t>(a.element_bytes);
  const auto size_b = static_cast<std::int64_t>(b.element_bytes);
  const bool on_one_grid = size_a == size_b && (bytes_b.first - bytes_a.first) % size_a == 0;
  BoundedEquation equation;
  add_axes(equation, a.layout, size_a);
  add_axes(equation, b.layout, size_b);
  Integer128 distance = bytes_b.last - bytes_a.first;
  if (on_one_grid) {
    distance -= size_b - 1;
  } else {
    equation.add(1, Integer128{size_a} - 1 + size_b - 1);
  }
  OverlapVerdict verdict{equation.solve(distance, work_limit), std::nullopt, equation.work()};
  if (verdict.answer == SearchAnswer::yes) {
    std::size_t variable = 0;
    std::vector<std::int64_t> index_a = index_of(equation, variable, a.layout, true);
    std::vector<std::int64_t> index_b = index_of(equation, variable, b.layout, false);
    verdict.witness = IndexPair{std::move(index_a), std::move(index_b)};
  }
  return verdict;
}

}  // namespace

OverlapVerdict decide_overlap(const PlacedLayout& a, const PlacedLayout& b, std::uint64_t work_limit) {
  const std::optional<ElementReach> reach_a = a.layout.reach();
  const std::optional<ElementReach> reach_b = b.layout.reach();
  if (!reach_a || !reach_b) return {SearchAnswer::no, std::nullopt, 0};
  const ByteReach bytes_a = byte_reach(a, *reach_a);
  const ByteReach bytes_b = byte_reach(b, *reach_b);
  if (bytes_a.last < bytes_b.first || bytes_b.last < bytes_a.first) {
    return {SearchAnswer::no, std::nullopt, 0};
  }
  return search_overlap(a, b, bytes_a, bytes_b, work_limit);
}

}  // namespace tenure::inline TENURE_BUILD
