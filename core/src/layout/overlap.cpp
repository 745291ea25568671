// SPDX-License-Identifier: Apache-2.0
#include "tenure/layout/overlap.hpp"

#include <cstdlib>
#include <optional>
#include <span>

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

// The strides in bytes of the axes that move, or'ed. Modulo the size of an address space.
inline std::uint64_t all_strides(const PlacedLayout& placed) noexcept {
  const std::span<const std::int64_t> extents = placed.layout.extents();
  const std::int64_t* const strides = placed.layout.strides().data();
  std::int64_t all = 0;
  for (std::size_t axis = 0; axis < extents.size(); ++axis) all |= extents[axis] > 1 ? strides[axis] : 0;
  return static_cast<std::uint64_t>(all) * placed.element_bytes;
}

// Whether every element of `a` and of `b` lies a multiple of one power of two from the first, and the two
// alternate: even and odd rows, real and imaginary parts. `distance` is that from the first byte of a to the
// last one of b.
inline bool alternate(const PlacedLayout& a, const PlacedLayout& b, std::uint64_t distance) noexcept {
  const std::uint64_t strides = all_strides(a) | all_strides(b);
  const std::uint64_t step = strides & -strides;
  // The last element of b is as good as the first.
  const std::uint64_t place = (distance - (b.element_bytes - 1)) & (step - 1);
  return place >= a.element_bytes && place + b.element_bytes <= step;
}

// Walking a up from its first byte and b down from its last one, the two meet when the ways add up to the
// distance between those bytes. Each way is a sum over the axes that move: distance times a factor, which is
// the index itself or, seen from the other end, what is left to the last one.
template <class Visit>
inline void for_each_way(const PlacedLayout& placed, Visit visit) {
  const auto unit_bytes = static_cast<std::int64_t>(placed.element_bytes);
  const std::span<const std::int64_t> extents = placed.layout.extents();
  const std::int64_t* const strides = placed.layout.strides().data();
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    const std::int64_t bound = extents[axis] - 1;
    if (bound > 0 && strides[axis] != 0) visit(axis, std::abs(strides[axis]) * unit_bytes, bound);
  }
}

template <class Sum>
void add_ways(Sum& sum, const PlacedLayout& placed) noexcept {
  for_each_way(placed, [&](std::size_t, std::int64_t distance_bytes, std::int64_t bound) {
    sum.add(distance_bytes, bound);
  });
}

// The index that the factors say. `from_low` says whether a factor of zero is the low end of the axis.
template <class NextFactor>
void read_index(const PlacedLayout& placed, bool from_low, const NextFactor& next_factor,
                ElementIndex& index) {
  index.assign(static_cast<std::size_t>(placed.layout.rank()), 0);
  for_each_way(placed, [&](std::size_t axis, std::int64_t distance_bytes, std::int64_t bound) {
    const std::int64_t factor = next_factor(distance_bytes, bound);
    const bool as_is = (placed.layout.strides()[axis] > 0) == from_low;
    index[axis] = as_is ? factor : bound - factor;
  });
}

template <class NextFactor>
void read_witness(const PlacedLayout& a, const PlacedLayout& b, const NextFactor& next_factor,
                  IndexPair& witness) {
  read_index(a, true, next_factor, witness.first);
  read_index(b, false, next_factor, witness.second);
}

// Elements of equal size that lie whole multiples of it apart, or not at all, meet whole. `distance` is that
// from the first byte of a to the last one of b: as far as between their first bytes, and an element less one
// byte.
inline bool is_on_one_grid(const PlacedLayout& a, const PlacedLayout& b, std::uint64_t distance) noexcept {
  return a.element_bytes == b.element_bytes &&
         (distance - (b.element_bytes - 1)) % std::uint64_t{b.element_bytes} == 0;
}

// Where elements do not meet whole, single bytes count. Apart from decide_meeting, whose answers would pay
// for the equation's place on the stack.
[[gnu::noinline]] OverlapVerdict search_overlap(const PlacedLayout& a, const PlacedLayout& b,
                                                std::uint64_t distance, std::uint64_t work_limit,
                                                IndexPair* witness) {
  const std::size_t size_a = a.element_bytes;
  const std::size_t size_b = b.element_bytes;
  const bool on_one_grid = is_on_one_grid(a, b, distance);
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

// Apart from decide_meeting for the same reason.
[[gnu::noinline]] OverlapVerdict decide_nested(const PlacedLayout& a, const PlacedLayout& b,
                                               std::uint64_t distance, std::uint64_t work_limit,
                                               IndexPair* witness) {
  NestedSum sum;
  auto value = static_cast<std::int64_t>(distance);
  if (is_on_one_grid(a, b, distance)) {
    value -= static_cast<std::int64_t>(b.element_bytes) - 1;
  } else {
    // The bytes within the elements.
    sum.add(1, static_cast<std::int64_t>(a.element_bytes - 1 + b.element_bytes - 1));
  }
  add_ways(sum, a);
  add_ways(sum, b);
  const SearchAnswer answer = sum.solve(value);
  if (answer == SearchAnswer::undecided) return search_overlap(a, b, distance, work_limit, witness);
  if (answer == SearchAnswer::yes && witness != nullptr) {
    sum.choose_factors();
    const auto next_factor = [&](std::int64_t distance_bytes, std::int64_t bound) {
      return sum.take_factor(distance_bytes, bound);
    };
    read_witness(a, b, next_factor, *witness);
  }
  return {answer, 0};
}

// Of ranges that meet, `distance` from the first byte of a to the last one of b.
[[gnu::noinline]] OverlapVerdict decide_meeting(const PlacedLayout& a, const PlacedLayout& b,
                                                std::uint64_t distance, std::uint64_t work_limit,
                                                IndexPair* witness) {
  if (alternate(a, b, distance)) return {SearchAnswer::no, 0};
  return decide_nested(a, b, distance, work_limit, witness);
}

inline std::uint64_t first_element_address(const PlacedLayout& placed) noexcept {
  return placed.address_bytes + static_cast<std::uint64_t>(placed.layout.offset()) * placed.element_bytes;
}

// Of operands whose index (0, 0, ...) lies at one address.
[[gnu::noinline]] OverlapVerdict decide_same_first(const PlacedLayout& a, const PlacedLayout& b,
                                                   IndexPair* witness) {
  if (a.layout.is_empty() || b.layout.is_empty()) return {SearchAnswer::no, 0};
  if (witness != nullptr) {
    witness->first.assign(static_cast<std::size_t>(a.layout.rank()), 0);
    witness->second.assign(static_cast<std::size_t>(b.layout.rank()), 0);
  }
  return {SearchAnswer::yes, 0};
}

}  // namespace

OverlapVerdict decide_overlap(const PlacedLayout& a, const PlacedLayout& b, std::uint64_t work_limit,
                              IndexPair* witness) {
  if (first_element_address(a) == first_element_address(b)) return decide_same_first(a, b, witness);
  const std::optional<ElementReach> reach_a = a.layout.reach();
  const std::optional<ElementReach> reach_b = b.layout.reach();
  if (!reach_a || !reach_b) return {SearchAnswer::no, 0};
  const ByteReach bytes_a = byte_reach(a, *reach_a);
  const ByteReach bytes_b = byte_reach(b, *reach_b);
  const bool begins_in_a = bytes_b.first - bytes_a.first <= static_cast<std::uint64_t>(bytes_a.distance);
  const bool begins_in_b = bytes_a.first - bytes_b.first <= static_cast<std::uint64_t>(bytes_b.distance);
  if (!begins_in_a && !begins_in_b) return {SearchAnswer::no, 0};
  constexpr std::int64_t small_max = std::int64_t{1} << 61;  // so that sums of both fit
  const bool is_small = bytes_a.distance <= small_max && bytes_b.distance <= small_max;
  const std::uint64_t distance = bytes_b.first - bytes_a.first + static_cast<std::uint64_t>(bytes_b.distance);
  return is_small ? decide_meeting(a, b, distance, work_limit, witness)
                  : search_overlap(a, b, distance, work_limit, witness);
}

}  // namespace tenure::inline TENURE_BUILD
