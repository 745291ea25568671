// SPDX-License-Identifier: Apache-2.0
#include "layout/nested_sum.hpp"

#include <doctest/doctest.h>

#include "random_layout.hpp"

using tenure::NestedSum;
using tenure::SearchAnswer;
using tenure_test::Numbers;
using tenure_test::Random;
using tenure_test::uniform;

namespace {

std::int64_t reach_of(const Numbers& coefficients, const Numbers& bounds) {
  return tenure_test::element_of(coefficients, 0, bounds);
}

bool exists(const Numbers& coefficients, const Numbers& bounds, std::int64_t value) {
  Numbers counts;
  for (const std::int64_t bound : bounds) counts.push_back(bound + 1);
  bool found = false;
  tenure_test::for_each_index(counts, [&](const Numbers& factors) {
    found = found || tenure_test::element_of(coefficients, 0, factors) == value;
  });
  return found;
}

NestedSum sum_of(const Numbers& coefficients, const Numbers& bounds) {
  NestedSum sum;
  for (std::size_t i = 0; i < coefficients.size(); ++i) sum.add(coefficients[i], bounds[i]);
  return sum;
}

}  // namespace

TEST_CASE("NestedSum: what it decides is right, and a yes has factors within the bounds") {
  constexpr std::uint64_t seed = 20241104;
  MESSAGE("seed " << seed);
  Random random(seed);
  int yes = 0, no = 0, undecided = 0;
  for (int round = 0; round < 20000; ++round) {
    const std::int64_t count = uniform(random, 0, 5);
    const Numbers coefficients =
        tenure_test::random_numbers(random, count, 1, uniform(random, 0, 1) == 0 ? 6 : 60);
    const Numbers bounds = tenure_test::random_numbers(random, count, 1, 4);
    const std::int64_t value = uniform(random, 0, reach_of(coefficients, bounds));
    NestedSum sum = sum_of(coefficients, bounds);
    const SearchAnswer answer = sum.solve(value);
    if (answer == SearchAnswer::undecided) {
      ++undecided;
      continue;
    }
    REQUIRE((answer == SearchAnswer::yes) == exists(coefficients, bounds, value));
    if (answer == SearchAnswer::no) {
      ++no;
      continue;
    }
    ++yes;
    sum.choose_factors();
    std::int64_t total = 0;
    for (std::size_t i = 0; i < coefficients.size(); ++i) {
      const std::int64_t factor = sum.take_factor(coefficients[i], bounds[i]);
      REQUIRE(factor >= 0);
      REQUIRE(factor <= bounds[i]);
      total += coefficients[i] * factor;
    }
    REQUIRE(total == value);
  }
  CHECK(yes > 2000);
  CHECK(no > 500);
  CHECK(undecided > 500);
}

TEST_CASE("NestedSum: decides two slices of one tensor, whose strides are equal and step over each other") {
  // Two blocks of 3 columns side by side, of rows of 8.
  CHECK(sum_of({1, 8, 1, 8}, {2, 9, 2, 9}).solve(9 * 8 + 3 + 2) == SearchAnswer::no);
  CHECK(sum_of({1, 8, 1, 8}, {2, 9, 2, 9}).solve(9 * 8 + 2 + 2) == SearchAnswer::yes);
  // Every other element, of two dense tensors, of what has gaps of its own.
  CHECK(sum_of({2, 2}, {31, 31}).solve(63) == SearchAnswer::no);
  CHECK(sum_of({1, 4, 1, 4}, {3, 3, 3, 3}).solve(17) == SearchAnswer::yes);
  CHECK(sum_of({5, 7}, {6, 6}).solve(36) == SearchAnswer::undecided);
}

TEST_CASE("NestedSum: without terms only zero is a value") {
  NestedSum sum;
  CHECK(sum.solve(0) == SearchAnswer::yes);
}
