// SPDX-License-Identifier: Apache-2.0
// nested_sum: whether a sum of multiples can have a value, where that takes no search.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "tenure/layout/search_answer.hpp"

namespace tenure::inline TENURE_BUILD {

// a0 * x0 + a1 * x1 + ... = value with 0 <= xi <= bound_i, as BoundedEquation, in 64 bits. From the largest
// coefficient on, each factor is the only one that leaves a remainder within reach of the smaller
// coefficients, until those reach everything without a gap. Slices of one tensor are like that.
class NestedSum {
 public:
  static constexpr std::size_t term_count_max = 129;

  // Both are positive. The sum of all coefficients times bounds must fit.
  void add(std::int64_t coefficient, std::int64_t bound) noexcept {
    std::size_t place = count_;
    while (place > 0 && terms_[place - 1].coefficient > coefficient) --place;
    if (place > 0 && terms_[place - 1].coefficient == coefficient) {
      terms_[place - 1].bound += bound;
      return;
    }
    for (std::size_t i = count_++; i > place; --i) terms_[i] = terms_[i - 1];
    terms_[place].coefficient = coefficient;
    terms_[place].bound = bound;
  }
  // `value` is within reach of all terms together. Undecided where a factor has to be searched for.
  SearchAnswer solve(std::int64_t value) noexcept;
  // After a yes, in this order: chooses factors that make the value, and gives that of one variable, which is
  // as it was added. To be asked once for each.
  void choose_factors() noexcept;
  std::int64_t take_factor(std::int64_t coefficient, std::int64_t bound) noexcept;

 private:
  // Variables of one coefficient, the smallest coefficient first.
  struct Term {
    std::int64_t coefficient;
    std::int64_t bound;
    std::int64_t reach_below;  // the largest sum of the smaller terms
    std::int64_t factor;
  };

  void measure() noexcept;

  std::size_t count_ = 0;
  // So many of the smallest terms reach, together, every multiple of the smallest coefficient up to their
  // largest sum.
  std::size_t gapless_count_ = 0;
  std::int64_t rest_ = 0;  // what they have to make
  std::array<Term, term_count_max> terms_;
};

}  // namespace tenure::inline TENURE_BUILD
