// SPDX-License-Identifier: Apache-2.0
// bounded_equation: whether a sum of multiples can have a value, when every factor has a range.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "layout/integer128.hpp"
#include "tenure/layout/search_answer.hpp"

namespace tenure::inline TENURE_BUILD {

// a0 * x0 + a1 * x1 + ... = value with 0 <= xi <= bound_i. The search fixes the factor of the largest
// coefficient first, visits only what is congruent modulo the gcd of the smaller coefficients and within
// their reach, and starts in the middle, where solutions are densest. Two different coefficients never
// search.
class BoundedEquation {
 public:
  static constexpr std::size_t variable_count_max = 130;

  // `coefficient` is positive, `bound` is not negative.
  void add(std::int64_t coefficient, Integer128 bound) noexcept;
  // Takes at most `work_limit` steps. Changes nothing but work() and factor().
  SearchAnswer solve(Integer128 value, std::uint64_t work_limit) noexcept;

  // Steps of the last call.
  std::uint64_t work() const noexcept { return work_; }
  // After a yes: xi of the i-th added variable.
  Integer128 factor(std::size_t variable) const noexcept { return variables_[variable].factor; }

 private:
  struct Variable {
    std::int64_t coefficient;
    Integer128 bound;
    Integer128 factor;
  };
  // Variables of one coefficient, with what the smaller coefficients can do together.
  struct Term {
    std::int64_t coefficient;
    Integer128 bound;
    Integer128 reach_below;  // the largest sum of the smaller terms
    std::int64_t divisor;    // gcd of this and all smaller coefficients
    std::int64_t period;     // candidates for the factor lie this far apart
    std::int64_t inverse;    // of coefficient / divisor, modulo period
    Integer128 factor;
  };

  void collect_terms() noexcept;
  SearchAnswer search(std::size_t level, Integer128 value) noexcept;
  SearchAnswer try_factor(std::size_t level, Integer128 value, Integer128 factor) noexcept;
  void hand_out_factors() noexcept;

  std::size_t variable_count_ = 0;
  std::size_t term_count_ = 0;
  std::uint64_t work_ = 0;
  std::uint64_t work_limit_ = 0;
  std::array<Variable, variable_count_max> variables_;
  std::array<Term, variable_count_max> terms_;
};

}  // namespace tenure::inline TENURE_BUILD
