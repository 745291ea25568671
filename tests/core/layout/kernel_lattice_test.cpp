// SPDX-License-Identifier: Apache-2.0
#include "layout/kernel_lattice.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <numeric>

#include "layout/integer128.hpp"
#include "random_layout.hpp"

using tenure::find_kernel_vector;
using tenure::KernelVector;
using tenure::SearchAnswer;
using tenure_test::Numbers;
using tenure_test::Random;
using tenure_test::uniform;

namespace {

constexpr std::uint64_t work_limit = 1u << 20;

// Whether some other combination of factors within the bounds gives zero.
bool exists(const Numbers& coefficients, const Numbers& bounds) {
  Numbers spans;
  for (const std::int64_t bound : bounds) spans.push_back(2 * bound + 1);
  bool found = false;
  tenure_test::for_each_index(spans, [&](const Numbers& index) {
    std::int64_t sum = 0;
    bool zero = true;
    for (std::size_t i = 0; i < index.size(); ++i) {
      sum += coefficients[i] * (index[i] - bounds[i]);
      zero = zero && index[i] == bounds[i];
    }
    found = found || (sum == 0 && !zero);
  });
  return found;
}

bool is_kernel_vector(const Numbers& vector, const Numbers& coefficients, const Numbers& bounds) {
  if (vector.size() != coefficients.size()) return false;
  tenure::Integer128 sum = 0;
  bool zero = true;
  for (std::size_t i = 0; i < vector.size(); ++i) {
    if (std::abs(vector[i]) > bounds[i]) return false;
    sum += tenure::Integer128{coefficients[i]} * vector[i];
    zero = zero && vector[i] == 0;
  }
  return sum == 0 && !zero;
}

}  // namespace

TEST_CASE("find_kernel_vector: agrees with enumeration for random coefficients and unequal bounds") {
  constexpr std::uint64_t seed = 20240613;
  MESSAGE("seed " << seed);
  Random random(seed);
  int found = 0;
  constexpr int rounds = 1500;
  for (int round = 0; round < rounds; ++round) {
    const std::int64_t count = uniform(random, 1, 5);
    const Numbers coefficients =
        tenure_test::random_numbers(random, count, 1, std::int64_t{1} << uniform(random, 1, 14));
    Numbers bounds = tenure_test::random_numbers(random, count, 1, 3);
    if (count < 4) bounds[0] = uniform(random, 1, 60);
    const KernelVector kernel = find_kernel_vector(coefficients, bounds, work_limit);
    const bool expected = exists(coefficients, bounds);
    found += expected;
    REQUIRE(kernel.answer == (expected ? SearchAnswer::yes : SearchAnswer::no));
    if (expected) REQUIRE(is_kernel_vector(kernel.vector, coefficients, bounds));
  }
  CHECK(found > rounds / 5);
  CHECK(found < rounds * 4 / 5);
}

TEST_CASE("find_kernel_vector: large coefficients of six axes stay within the work limit") {
  constexpr std::uint64_t seed = 20240614;
  MESSAGE("seed " << seed);
  Random random(seed);
  int found = 0;
  for (int round = 0; round < 100; ++round) {
    const std::int64_t large = std::int64_t{1} << uniform(random, 30, 61);
    const Numbers coefficients = tenure_test::random_numbers(random, 6, large, 2 * (large - 1));
    const Numbers bounds =
        tenure_test::random_numbers(random, 6, 1, std::int64_t{1} << uniform(random, 1, 14));
    const KernelVector kernel = find_kernel_vector(coefficients, bounds, work_limit);
    REQUIRE(kernel.answer != SearchAnswer::undecided);
    if (kernel.answer != SearchAnswer::yes) continue;
    ++found;
    REQUIRE(is_kernel_vector(kernel.vector, coefficients, bounds));
  }
  CHECK(found > 10);
  CHECK(found < 90);
}

TEST_CASE("find_kernel_vector: is undecided when the work limit is too small") {
  const Numbers coefficients{100003, 100019, 100043, 100049};
  const Numbers bounds{9, 9, 9, 9};
  const KernelVector kernel = find_kernel_vector(coefficients, bounds, 10);
  CHECK(kernel.answer == SearchAnswer::undecided);
  CHECK(kernel.work >= 10);
}
