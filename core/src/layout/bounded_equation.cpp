// SPDX-License-Identifier: Apache-2.0
#include "layout/bounded_equation.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tenure::inline TENURE_BUILD {

namespace {

// The inverse of `number` modulo `modulus`, which have no common divisor. 0 for modulus 1.
std::int64_t inverse_modulo(std::int64_t number, std::int64_t modulus) noexcept {
  std::int64_t remainder = modulus;
  std::int64_t next_remainder = number % modulus;
  std::int64_t factor = 0;
  std::int64_t next_factor = 1;
  while (next_remainder != 0) {
    const std::int64_t quotient = remainder / next_remainder;
    remainder = std::exchange(next_remainder, remainder - quotient * next_remainder);
    factor = std::exchange(next_factor, factor - quotient * next_factor);
  }
  return static_cast<std::int64_t>(modulo(factor, modulus));
}

}  // namespace

void BoundedEquation::add(std::int64_t coefficient, Integer128 bound) noexcept {
  variables_[variable_count_++] = {coefficient, bound, 0};
}

void BoundedEquation::collect_terms() noexcept {
  term_count_ = 0;
  for (std::size_t i = 0; i < variable_count_; ++i) {
    const Variable& variable = variables_[i];
    std::size_t place = 0;
    while (place < term_count_ && terms_[place].coefficient < variable.coefficient) ++place;
    if (place < term_count_ && terms_[place].coefficient == variable.coefficient) {
      terms_[place].bound += variable.bound;
      continue;
    }
    for (std::size_t j = term_count_++; j > place; --j) terms_[j] = terms_[j - 1];
    terms_[place].coefficient = variable.coefficient;
    terms_[place].bound = variable.bound;
  }
  Integer128 reach = 0;
  std::int64_t divisor = 0;
  for (std::size_t i = 0; i < term_count_; ++i) {
    Term& term = terms_[i];
    term.reach_below = reach;
    reach += term.coefficient * term.bound;
    term.divisor = std::gcd(divisor, term.coefficient);
    term.period = i == 0 ? 1 : divisor / term.divisor;
    term.inverse = inverse_modulo(term.coefficient / term.divisor, term.period);
    divisor = term.divisor;
  }
}

SearchAnswer BoundedEquation::solve(Integer128 value, std::uint64_t work_limit) noexcept {
  collect_terms();
  work_ = 0;
  work_limit_ = work_limit;
  if (term_count_ == 0) return value == 0 ? SearchAnswer::yes : SearchAnswer::no;
  if (value < 0 || value % terms_[term_count_ - 1].divisor != 0) return SearchAnswer::no;
  const SearchAnswer answer = search(term_count_ - 1, value);
  if (answer == SearchAnswer::yes) hand_out_factors();
  return answer;
}

// The value is a multiple of the level's divisor.
SearchAnswer BoundedEquation::search(std::size_t level, Integer128 value) noexcept {
  if (work_ == work_limit_) return SearchAnswer::undecided;
  ++work_;
  const Term& term = terms_[level];
  const Integer128 lowest = std::max<Integer128>(0, ceil_divide(value - term.reach_below, term.coefficient));
  const Integer128 highest = std::min(term.bound, floor_divide(value, term.coefficient));
  if (lowest > highest) return SearchAnswer::no;

  const Integer128 residue = modulo(value / term.divisor, term.period) * term.inverse % term.period;
  const Integer128 middle = lowest + (highest - lowest) / 2;
  Integer128 up = middle + modulo(residue - middle, term.period);
  Integer128 down = up - term.period;
  while (up <= highest || down >= lowest) {
    for (Integer128* const candidate : {&up, &down}) {
      if (*candidate < lowest || *candidate > highest) continue;
      const SearchAnswer answer = try_factor(level, value, *candidate);
      if (answer != SearchAnswer::no) return answer;
    }
    up += term.period;
    down -= term.period;
  }
  return SearchAnswer::no;
}

SearchAnswer BoundedEquation::try_factor(std::size_t level, Integer128 value, Integer128 factor) noexcept {
  terms_[level].factor = factor;
  if (level == 0) return SearchAnswer::yes;
  return search(level - 1, value - terms_[level].coefficient * factor);
}

// What a term's variables must sum up to, filled from the first on.
void BoundedEquation::hand_out_factors() noexcept {
  for (std::size_t i = 0; i < variable_count_; ++i) {
    Variable& variable = variables_[i];
    std::size_t place = 0;
    while (terms_[place].coefficient != variable.coefficient) ++place;
    variable.factor = std::min(variable.bound, terms_[place].factor);
    terms_[place].factor -= variable.factor;
  }
}

}  // namespace tenure::inline TENURE_BUILD
