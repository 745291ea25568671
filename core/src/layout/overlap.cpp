// SPDX-License-Identifier: Apache-2.0
#include "tenure/layout/overlap.hpp"

#include <cstdlib>
#include <optional>

#include "layout/bounded_equation.hpp"
#include "layout/nested_sum.hpp"
#include "tenure/abi/checked_math.hpp"
#include "tenure/base/validation_error.hpp"

namespace tenure::inline TENURE_BUILD {

namespace {

// The bytes that an operand reaches, from `first` to `first + distance`, modulo the size of an address space.
struct ByteReach {
  std::uint64_t first;
  std::int64_t distance;
};

[[noreturn, gnu::cold]] void throw_too_wide() {
  throw ValidationError("decide_overlap", IntegerOverflow{"reach in bytes"});
}

inline ByteReach byte_reach(const PlacedLayout& placed, const ElementReach& reach) {
  const auto element_bytes = static_cast<std::int64_t>(placed.element_bytes);
  std::int64_t distance = 0;
  if (!abi::checked_multiply(reach.highest - reach.lowest, element_bytes, distance) ||
      !abi::checked_add(distance, element_bytes - 1, distance)) {
    throw_too_wide();
  }
  return {placed.address_bytes + static_cast<std::uint64_t>(reach.lowest) * placed.element_bytes, distance};
}

// Walking a up from its first byte and b down from its last one, the two meet when the ways add up to the
// distance between those bytes. Each way is a sum over the axes that move: distance times a factor, which is
// the index itself or, seen from the other end, what is left to the last one.
template <class Visit>
inline void for_each_way(const PlacedLayout& placed, Visit visit) {
  const auto unit_bytes = static_cast<std::int64_t>(placed.element_bytes);
  for (std::int64_t axis = 0; axis < placed.layout.rank(); ++axis) {
    const std::int64_t distance = std::abs(placed.layout.stride(axis));
    const std::int64_t bound = placed.layout.extent(axis) - 1;
    if (bound > 0 && distance != 0) visit(axis, distance * unit_bytes, bound);
  }
}

template <class Sum>
void add_ways(Sum& sum, const PlacedLayout& placed) noexcept {
  for_each_way(placed, [&](std::int64_t, std::int64_t distance_bytes, std::int64_t bound) {
    sum.add(distance_bytes, bound);
  });
}

// The index that the factors say. `from_low` says whether a factor of zero is the low end of the axis.
template <class NextFactor>
void read_index(const PlacedLayout& placed, bool from_low, const NextFactor& next_factor,
                ElementIndex& index) {
  index.assign(static_cast<std::size_t>(placed.layout.rank()), 0);
  for_each_way(placed, [&](std::int64_t axis, std::int64_t distance_bytes, std::int64_t bound) {
    const std::int64_t factor = next_factor(distance_bytes, bound);
    const bool as_is = (placed.layout.stride(axis) > 0) == from_low;
    index[static_cast<std::size_t>(axis)] = as_is ? factor : bound - factor;
  });
}

template <class NextFactor>
void read_witness(const PlacedLayout& a, const PlacedLayout& b, const NextFactor& next_factor,
                  IndexPair& witness) {
  read_index(a, true, next_factor, witness.first);
  read_index(b, false, next_factor, witness.second);
}

// `distance` is that from the first byte of a to the last one of b. Elements of equal size on one grid meet
// whole, otherwise single bytes count. Apart from decide_meeting, whose answers would pay for the equation's
// place on the stack.
[[gnu::noinline]] OverlapVerdict search_overlap(const PlacedLayout& a, const PlacedLayout& b,
                                                std::uint64_t distance, std::uint64_t work_limit,
                                                IndexPair* witness) {
  const std::size_t size_a = a.element_bytes;
  const std::size_t size_b = b.element_bytes;
  // The first bytes of both lie as far apart, and an element less one byte.
  const bool on_one_grid = size_a == size_b && (Integer128{distance} + 1) % Integer128{size_a} == 0;
  BoundedEquation equation;
  add_ways(equation, a);
  add_ways(equation, b);
  if (!on_one_grid) equation.add(1, Integer128{size_a} - 1 + Integer128{size_b} - 1);
  const Integer128 value = Integer128{distance} - (on_one_grid ? Integer128{size_b} - 1 : 0);
  const SearchAnswer answer = equation.solve(value, work_limit);
  if (answer == SearchAnswer::yes && witness != nullptr) {
    std::size_t variable = 0;
    const auto next_factor = [&](std::int64_t, std::int64_t) {
      return static_cast<std::int64_t>(equation.factor(variable++));
    };
    read_witness(a, b, next_factor, *witness);
  }
  return {answer, equation.work()};
}

// Of ranges that meet, `distance` from the first byte of a to the last one of b.
[[gnu::noinline]] OverlapVerdict decide_meeting(const PlacedLayout& a, const PlacedLayout& b,
                                                std::uint64_t distance, std::uint64_t work_limit,
                                                IndexPair* witness) {
  NestedSum sum;
  // The bytes within the elements.
  const auto further_bytes = static_cast<std::int64_t>(a.element_bytes - 1 + b.element_bytes - 1);
  if (further_bytes > 0) sum.add(1, further_bytes);
  add_ways(sum, a);
  add_ways(sum, b);
  const SearchAnswer answer = sum.solve(static_cast<std::int64_t>(distance));
  if (answer == SearchAnswer::undecided) return search_overlap(a, b, distance, work_limit, witness);
  if (answer == SearchAnswer::yes && witness != nullptr) {
    const auto next_factor = [&](std::int64_t distance_bytes, std::int64_t bound) {
      return sum.take_factor(distance_bytes, bound);
    };
    read_witness(a, b, next_factor, *witness);
  }
  return {answer, 0};
}

bool share_first_element(const PlacedLayout& a, const PlacedLayout& b) noexcept {
  const std::uint64_t first_a =
      a.address_bytes + static_cast<std::uint64_t>(a.layout.offset()) * a.element_bytes;
  const std::uint64_t first_b =
      b.address_bytes + static_cast<std::uint64_t>(b.layout.offset()) * b.element_bytes;
  return first_a == first_b;
}

void read_first_elements(const PlacedLayout& a, const PlacedLayout& b, IndexPair& witness) {
  witness.first.assign(static_cast<std::size_t>(a.layout.rank()), 0);
  witness.second.assign(static_cast<std::size_t>(b.layout.rank()), 0);
}

}  // namespace

OverlapVerdict decide_overlap(const PlacedLayout& a, const PlacedLayout& b, std::uint64_t work_limit,
                              IndexPair* witness) {
  const std::optional<ElementReach> reach_a = a.layout.reach();
  const std::optional<ElementReach> reach_b = b.layout.reach();
  if (!reach_a || !reach_b) return {SearchAnswer::no, 0};
  const ByteReach bytes_a = byte_reach(a, *reach_a);
  const ByteReach bytes_b = byte_reach(b, *reach_b);
  const bool begins_in_a = bytes_b.first - bytes_a.first <= static_cast<std::uint64_t>(bytes_a.distance);
  const bool begins_in_b = bytes_a.first - bytes_b.first <= static_cast<std::uint64_t>(bytes_b.distance);
  if (!begins_in_a && !begins_in_b) return {SearchAnswer::no, 0};
  if (share_first_element(a, b)) {
    if (witness != nullptr) read_first_elements(a, b, *witness);
    return {SearchAnswer::yes, 0};
  }
  constexpr std::int64_t small_max = std::int64_t{1} << 61;  // so that sums of both fit
  const bool is_small = bytes_a.distance <= small_max && bytes_b.distance <= small_max;
  const std::uint64_t distance = bytes_b.first - bytes_a.first + static_cast<std::uint64_t>(bytes_b.distance);
  return is_small ? decide_meeting(a, b, distance, work_limit, witness)
                  : search_overlap(a, b, distance, work_limit, witness);
}

}  // namespace tenure::inline TENURE_BUILD
