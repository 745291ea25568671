// SPDX-License-Identifier: Apache-2.0
#include "layout/nested_sum.hpp"

#include <algorithm>

namespace tenure::inline TENURE_BUILD {

void NestedSum::measure() noexcept {
  gapless_count_ = 0;
  if (count_ == 0) return;
  const std::int64_t unit = terms_[0].coefficient;
  std::int64_t reach = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    Term& term = terms_[i];
    term.reach_below = reach;
    const bool is_gapless = gapless_count_ == i && term.coefficient - unit <= reach &&
                            (unit == 1 || term.coefficient % unit == 0);
    gapless_count_ += is_gapless;
    reach += term.coefficient * term.bound;
  }
}

SearchAnswer NestedSum::solve(std::int64_t value) noexcept {
  measure();
  rest_ = value;
  for (std::size_t i = count_; i-- > gapless_count_;) {
    Term& term = terms_[i];
    term.factor = std::min(term.bound, rest_ / term.coefficient);
    rest_ -= term.factor * term.coefficient;
    if (rest_ > term.reach_below) return SearchAnswer::no;
    if (term.factor > 0 && rest_ + term.coefficient <= term.reach_below) return SearchAnswer::undecided;
  }
  if (gapless_count_ == 0) return rest_ == 0 ? SearchAnswer::yes : SearchAnswer::no;
  return rest_ % terms_[0].coefficient == 0 ? SearchAnswer::yes : SearchAnswer::no;
}

void NestedSum::choose_factors() noexcept {
  for (std::size_t i = gapless_count_; i-- > 0;) {
    Term& term = terms_[i];
    term.factor = std::min(term.bound, rest_ / term.coefficient);
    rest_ -= term.factor * term.coefficient;
  }
}

std::int64_t NestedSum::take_factor(std::int64_t coefficient, std::int64_t bound) noexcept {
  Term* term = terms_.data();
  while (term->coefficient != coefficient) ++term;
  const std::int64_t factor = std::min(bound, term->factor);
  term->factor -= factor;
  return factor;
}

}  // namespace tenure::inline TENURE_BUILD
