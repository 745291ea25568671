// SPDX-License-Identifier: Apache-2.0
// box: a strided box of equal elements, the bytes it touches, and whether two boxes share one.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>

#include "tenure/abi/checked_math.hpp"
#include "tenure/provider_engine.h"

#pragma GCC visibility push(hidden)
namespace tenure::sdk {

// Index (i, j, ...) lies element_bytes * (i * strides[0] + j * strides[1] + ...) after index (0, 0, ...).
// Borrows the arrays, which hold `rank` numbers each. Rank 0 has one element.
struct Box {
  const std::int64_t* extents = nullptr;
  const std::int64_t* strides = nullptr;  // in elements
  std::uint32_t rank = 0;                 // at most TENURE_RANK_MAX
  std::uint32_t element_bytes = 1;
};

// Bytes relative to index (0, 0, ...), from `first` up to but not including `end`.
struct ByteRange {
  std::int64_t first = 0;
  std::int64_t end = 0;
};

// Strides of a compact box whose first axis is the fastest, into `strides`. False on overflow.
[[nodiscard]] inline bool make_compact_strides(const std::int64_t* extents, std::uint32_t rank,
                                               std::int64_t* strides) noexcept {
  std::int64_t stride = 1;
  for (std::uint32_t axis = 0; axis < rank; ++axis) {
    strides[axis] = stride;
    if (extents[axis] > 1 && !abi::checked_multiply(stride, extents[axis], stride)) return false;
  }
  return true;
}

// Whether the box has no element.
inline bool is_empty(const Box& box) noexcept {
  return std::any_of(box.extents, box.extents + box.rank, [](std::int64_t extent) { return extent == 0; });
}

// The bytes that a box with elements touches, into `range`. False when they do not fit in an eighth of
// the 64-bit range, which no memory does; below that, sums over two boxes cannot overflow.
[[nodiscard]] inline bool find_byte_range(const Box& box, ByteRange& range) noexcept {
  constexpr std::int64_t limit = std::int64_t{1} << 61;
  range = {0, static_cast<std::int64_t>(box.element_bytes)};
  for (std::uint32_t axis = 0; axis < box.rank; ++axis) {
    std::int64_t reach = 0;
    if (!abi::checked_multiply(box.extents[axis] - 1, box.strides[axis], reach) ||
        !abi::checked_multiply(reach, static_cast<std::int64_t>(box.element_bytes), reach) ||
        !abi::checked_add(reach < 0 ? range.first : range.end, reach, reach < 0 ? range.first : range.end) ||
        range.first < -limit || range.end > limit) {
      return false;
    }
  }
  return true;
}

// Decides by bounded search whether sum(coefficient * x) can equal a number with 0 <= x <= bound.
// Proofs by size and by greatest common divisor end nearly every branch at once.
class BoundedSum {
 public:
  enum class Answer : std::uint8_t {
    no,
    yes,
    undecided
  };

  // Adds coefficient * x with 0 <= x <= bound; a negative coefficient is counted from its other end.
  void add(std::int64_t coefficient, std::int64_t bound) noexcept {
    if (coefficient == 0 || bound == 0) return;
    if (coefficient < 0) {
      shift_ -= coefficient * bound;
      coefficient = -coefficient;
    }
    terms_[count_++] = {coefficient, bound};
  }

  // Call once, after all terms. Gives up as undecided after `steps` assignments.
  Answer can_equal(std::int64_t number, std::int64_t steps) noexcept {
    std::sort(terms_.begin(), terms_.begin() + count_,
              [](const Term& a, const Term& b) { return a.coefficient > b.coefficient; });
    rest_[count_] = {0, 0};
    for (std::uint32_t i = count_; i-- > 0;) {
      rest_[i] = {rest_[i + 1].highest + terms_[i].coefficient * terms_[i].bound,
                  std::gcd(rest_[i + 1].divisor, terms_[i].coefficient)};
    }
    steps_left_ = steps;
    return search(0, number + shift_);
  }

 private:
  struct Term {
    std::int64_t coefficient;
    std::int64_t bound;
  };
  // Of the terms from one on: the highest sum, and what divides every sum.
  struct Rest {
    std::int64_t highest;
    std::int64_t divisor;
  };
  static constexpr std::uint32_t terms_max = 2 * TENURE_RANK_MAX;

  Answer search(std::uint32_t term, std::int64_t number) noexcept {
    if (number < 0 || number > rest_[term].highest) return Answer::no;
    if (number == 0) return Answer::yes;
    if (number % rest_[term].divisor != 0) return Answer::no;
    const auto [coefficient, bound] = terms_[term];
    const std::int64_t beyond_rest = std::max<std::int64_t>(0, number - rest_[term + 1].highest);
    const std::int64_t least = (beyond_rest + coefficient - 1) / coefficient;
    for (std::int64_t x = std::min(bound, number / coefficient); x >= least; --x) {
      if (steps_left_-- <= 0) return Answer::undecided;
      const Answer answer = search(term + 1, number - coefficient * x);
      if (answer != Answer::no) return answer;
    }
    return Answer::no;
  }

  std::array<Term, terms_max> terms_;
  std::array<Rest, terms_max + 1> rest_;
  std::uint32_t count_ = 0;
  std::int64_t shift_ = 0;
  std::int64_t steps_left_ = 0;
};

// Whether two boxes of equal extents and element_bytes, with elements and with ranges that
// find_byte_range accepts, are proven to share no byte. `distance_bytes` leads from index (0, 0, ...) of
// the first to that of the second. Exact, but for geometries that exhaust the search; those count as
// not proven.
inline bool proven_disjoint(const Box& first, const Box& second, std::int64_t distance_bytes) noexcept {
  ByteRange first_range, second_range;
  if (!find_byte_range(first, first_range) || !find_byte_range(second, second_range)) return false;
  if (first_range.end <= second_range.first + distance_bytes ||
      second_range.end + distance_bytes <= first_range.first) {
    return true;
  }
  // An element of the first meets one of the second when their starts are less than one element apart:
  // at the whole number of elements just below, or just above, the distance.
  const std::int64_t element_bytes = first.element_bytes;
  std::int64_t below = distance_bytes / element_bytes;
  const std::int64_t remainder = distance_bytes % element_bytes;
  if (remainder < 0) --below;
  constexpr std::int64_t steps = 100'000;
  for (std::int64_t elements = below; elements <= below + (remainder != 0 ? 1 : 0); ++elements) {
    BoundedSum sum;
    for (std::uint32_t axis = 0; axis < first.rank; ++axis) {
      if (first.extents[axis] == 1) continue;  // its strides may be any number, also one without a negative
      sum.add(first.strides[axis], first.extents[axis] - 1);
      sum.add(-second.strides[axis], second.extents[axis] - 1);
    }
    if (sum.can_equal(elements, steps) != BoundedSum::Answer::no) return false;
  }
  return true;
}

}  // namespace tenure::sdk
#pragma GCC visibility pop
