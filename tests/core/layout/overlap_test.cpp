// SPDX-License-Identifier: Apache-2.0
#include "tenure/layout/overlap.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "brute_force.hpp"
#include "refused.hpp"

using tenure::decide_overlap;
using tenure::Layout;
using tenure::OverlapVerdict;
using tenure::PlacedLayout;
using tenure::SearchAnswer;
using tenure_test::Marks;
using tenure_test::overlap_is_right;
using tenure_test::Random;
using tenure_test::share_a_byte;
using tenure_test::uniform;

namespace {

constexpr std::uint64_t address = 100000;

}  // namespace

TEST_CASE("decide_overlap: interleaved slices of one tensor are told apart up to rank 6") {
  constexpr std::uint64_t seed = 20240612;
  MESSAGE("seed " << seed);
  Random random(seed);
  Marks marks(1 << 18);
  int overlaps = 0;
  for (int round = 0; round < 4000; ++round) {
    const std::int64_t rank = uniform(random, 1, 6);
    const Layout whole = Layout::column_major(tenure_test::random_numbers(random, rank, 2, 5));
    const auto random_slices = [&] {
      std::vector<tenure::Slice> slices(static_cast<std::size_t>(rank));
      for (std::int64_t axis = 0; axis < rank; ++axis) {
        slices[static_cast<std::size_t>(axis)] = {uniform(random, 0, 1), std::nullopt, uniform(random, 1, 3)};
      }
      return slices;
    };
    const Layout a = whole.slice(random_slices());
    const Layout b = whole.slice(random_slices());
    const PlacedLayout placed_a{address, a, 8};
    const PlacedLayout placed_b{address, b, 8};
    const bool overlap = share_a_byte(marks, placed_a, placed_b, address);
    REQUIRE(overlap_is_right(placed_a, placed_b, overlap));
    overlaps += overlap;
  }
  CHECK(overlaps > 500);
  CHECK(overlaps < 3500);
}

TEST_CASE("decide_overlap: the two rows of a column-major matrix of two rows are apart") {
  const Layout matrix = Layout::column_major({2, 2});
  const Layout top = matrix.select(0, 0);
  const Layout bottom = matrix.select(0, 1);
  CHECK(decide_overlap({0, top, 8}, {0, bottom, 8}).answer == SearchAnswer::no);
  CHECK(decide_overlap({0, top, 8}, {0, matrix, 8}).answer == SearchAnswer::yes);
}

TEST_CASE("decide_overlap: without elements nothing overlaps and apart ranges need no search") {
  const Layout empty = Layout::column_major({0, 4});
  const Layout line = Layout::column_major({4});
  CHECK(decide_overlap({0, empty, 8}, {0, line, 8}).answer == SearchAnswer::no);
  const OverlapVerdict apart = decide_overlap({0, line, 8}, {32, line, 8});
  CHECK(apart.answer == SearchAnswer::no);
  CHECK(apart.work == 0);
  CHECK(decide_overlap({0, line, 8}, {31, line, 8}).answer == SearchAnswer::yes);
}

TEST_CASE("decide_overlap: real and imaginary parts share bytes with their numbers, not with each other") {
  const Layout complex = Layout::column_major({3, 4});
  const Layout real_parts = complex.as_real().select(0, 0);
  const Layout imaginary_parts = complex.as_real().select(0, 1);
  CHECK(decide_overlap({0, real_parts, 8}, {0, imaginary_parts, 8}).answer == SearchAnswer::no);
  CHECK(decide_overlap({0, complex, 16}, {0, imaginary_parts, 8}).answer == SearchAnswer::yes);
}

TEST_CASE("decide_overlap: is undecided when the work limit is too small and says what was spent") {
  const Layout a = Layout::strided({30, 30, 30}, {10000019, 10000079, 10000103});
  const Layout b = Layout::strided({30, 30, 30}, {10000121, 10000139, 10000141});
  tenure::IndexPair witness;
  const OverlapVerdict verdict = decide_overlap({0, a, 8}, {8, b, 8}, 2, &witness);
  CHECK(verdict.answer == SearchAnswer::undecided);
  CHECK(witness == tenure::IndexPair{});
  CHECK(verdict.work == 2);
}

TEST_CASE("decide_overlap: a reach that no address space holds is refused") {
  const Layout wide = Layout::strided({2}, {std::int64_t{1} << 61});
  CHECK(tenure_test::refused<tenure::IntegerOverflow>([&] {
    return decide_overlap({0, wide, 8}, {8, wide, 8});
  }));
}
