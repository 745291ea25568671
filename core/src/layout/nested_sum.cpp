// SPDX-License-Identifier: Apache-2.0
#include "layout/nested_sum.hpp"

#include <algorithm>

namespace tenure::inline TENURE_BUILD {

// Returns how many of the smallest terms reach, together, every multiple of the smallest coefficient up to
// their largest sum.
std::size_t NestedSum::measure() noexcept {
  if (count_ == 0) return 0;
  const std::int64_t unit = terms_[0].coefficient;
  std::int64_t reach = 0;
  std::size_t gapless_count = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    Term& term = terms_[i];
    term.reach_below = reach;
    const bool is_gapless =
        gapless_count == i && term.coefficient - unit <= reach && (unit == 1 || term.coefficient % unit == 0);
    gapless_count += is_gapless;
    reach += term.coefficient * term.bound;
  }
  return gapless_count;
}

SearchAnswer NestedSum::solve(std::int64_t value) noexcept {
  const std::size_t gapless_count = measure();
  std::int64_t rest = value;
  for (std::size_t i = count_; i-- > 0;) {
    Term& term = terms_[i];
    term.factor = std::min(term.bound, rest / term.coefficient);
    rest -= term.factor * term.coefficient;
    if (i < gapless_count) continue;
    if (rest > term.reach_below) return SearchAnswer::no;
    if (term.factor > 0 && rest + term.coefficient <= term.reach_below) return SearchAnswer::undecided;
  }
  return rest == 0 ? SearchAnswer::yes : SearchAnswer::no;
}

std::int64_t NestedSum::take_factor(std::int64_t coefficient, std::int64_t bound) noexcept {
  Term* term = terms_.data();
  while (term->coefficient != coefficient) ++term;
  const std::int64_t factor = std::min(bound, term->factor);
  term->factor -= factor;
  return factor;
}

}  // namespace tenure::inline TENURE_BUILD
