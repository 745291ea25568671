// SPDX-License-Identifier: Apache-2.0
#include "tenure/layout/injectivity.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "brute_force.hpp"
#include "refused.hpp"

using tenure::decide_injectivity;
using tenure::Injectivity;
using tenure::InjectivityVerdict;
using tenure::Layout;
using tenure::SearchAnswer;
using tenure_test::is_injective;
using tenure_test::is_right;
using tenure_test::is_witness;
using tenure_test::Marks;
using tenure_test::Numbers;
using tenure_test::Random;
using tenure_test::uniform;

namespace {

// The answer is decided and right, and a no has a witness.
void require_right(const Layout& layout, bool injective) {
  if (is_right(decide_injectivity(layout), layout, injective)) return;
  for (std::int64_t axis = 0; axis < layout.rank(); ++axis) {
    MESSAGE("extent " << layout.extent(axis) << " stride " << layout.stride(axis));
  }
  FAIL("wrong or undecided");
}

// Large strides that differ little, so that neither their order nor their divisors decide.
Layout close_strides(Random& random, std::int64_t rank, std::int64_t extent_max, std::int64_t stride_min,
                     std::int64_t spread) {
  return Layout::strided(tenure_test::random_numbers(random, rank, 2, extent_max),
                         tenure_test::random_numbers(random, rank, stride_min, stride_min + spread));
}

}  // namespace

TEST_CASE("decide_injectivity: agrees with enumeration for random layouts up to rank 6") {
  constexpr std::uint64_t seed = 20240608;
  MESSAGE("seed " << seed);
  Random random(seed);
  Marks marks(1 << 17);
  int injective_count = 0;
  for (int round = 0; round < 20000; ++round) {
    const std::int64_t rank = uniform(random, 2, 6);
    const std::int64_t spread = std::int64_t{1} << uniform(random, 2, 11);
    const Layout layout = Layout::strided(tenure_test::random_numbers(random, rank, 1, 4),
                                          tenure_test::random_numbers(random, rank, -spread, spread), 7);
    const bool injective = is_injective(marks, layout);
    injective_count += injective;
    require_right(layout, injective);
  }
  CHECK(injective_count > 2000);
  CHECK(injective_count < 18000);
}

TEST_CASE("decide_injectivity: agrees with enumeration where only the lattice search is quick") {
  constexpr std::uint64_t seed = 20240609;
  MESSAGE("seed " << seed);
  Random random(seed);
  Marks marks(1 << 20);
  int injective_count = 0;
  for (int round = 0; round < 60; ++round) {
    const Layout layout = close_strides(random, 4, 24, 4000, 4000);
    const bool injective = is_injective(marks, layout);
    injective_count += injective;
    require_right(layout, injective);
  }
  CHECK(injective_count > 5);
  CHECK(injective_count < 55);
}

TEST_CASE("decide_injectivity: decides rank 6 whatever the size of extents and strides") {
  constexpr std::uint64_t seed = 20240610;
  MESSAGE("seed " << seed);
  Random random(seed);
  std::uint64_t work_max = 0;
  for (int round = 0; round < 150; ++round) {
    const std::int64_t extent_max = std::int64_t{1} << uniform(random, 2, 9);
    const std::int64_t stride_min = std::int64_t{1} << uniform(random, 20, 50);
    const Layout layout = close_strides(random, 6, extent_max, stride_min, stride_min);
    const InjectivityVerdict verdict = decide_injectivity(layout);
    REQUIRE(verdict.answer != SearchAnswer::undecided);
    if (verdict.witness) REQUIRE(is_witness(layout, *verdict.witness));
    work_max = std::max(work_max, verdict.work);
  }
  MESSAGE("at most " << work_max << " steps");
}

TEST_CASE("decide_injectivity: slices and orders of a compact layout need no search") {
  const Layout layout = Layout::column_major({5, 6, 7}).permute({2, 0, 1}).slice({{{}, {}, -2}, {1}, {}});
  Layout forgotten = layout;
  forgotten.record_injectivity(Injectivity::unknown);
  const InjectivityVerdict verdict = decide_injectivity(forgotten);
  CHECK(verdict.answer == SearchAnswer::yes);
  CHECK(verdict.work == 0);
  CHECK(decide_injectivity(Layout::column_major({4}).insert_axis(0).broadcast_to({2, 4})).answer ==
        SearchAnswer::no);
}

TEST_CASE("decide_injectivity: rank 64 with nested strides needs no search") {
  Numbers extents(64, 1);
  Numbers strides(64, 1);
  for (std::size_t axis = 0; axis < 60; ++axis) {
    extents[axis] = 2;
    strides[axis] = std::int64_t{1} << (59 - axis);
  }
  const InjectivityVerdict verdict = decide_injectivity(Layout::strided(extents, strides));
  CHECK(verdict.answer == SearchAnswer::yes);
  CHECK(verdict.work == 0);
}

TEST_CASE("decide_injectivity: rank 13 with close strides is decided too") {
  Numbers strides;
  for (std::int64_t axis = 0; axis < 13; ++axis)
    strides.push_back((std::int64_t{1} << 40) + axis * axis * 7919);
  const Layout layout = Layout::strided(Numbers(13, 3), strides);
  const InjectivityVerdict verdict = decide_injectivity(layout);
  REQUIRE(verdict.answer == SearchAnswer::no);
  CHECK(is_witness(layout, *verdict.witness));
}

TEST_CASE("decide_injectivity: a layout without elements is injective even if that is not recorded") {
  Layout empty = Layout::column_major({4, 0, 4});
  empty.record_injectivity(Injectivity::unknown);
  CHECK(decide_injectivity(empty).answer == SearchAnswer::yes);
}

TEST_CASE("decide_injectivity: is undecided when the work limit is too small and says what was spent") {
  const Layout layout = Layout::strided({30, 30, 30, 30}, {10000019, 12345701, 15485863, 17000023});
  for (const std::uint64_t limit : {0u, 1u, 50u}) {
    const InjectivityVerdict verdict = decide_injectivity(layout, limit);
    CHECK(verdict.answer == SearchAnswer::undecided);
    CHECK_FALSE(verdict.witness.has_value());
    CHECK(verdict.work <= limit + 4);
  }
}

TEST_CASE("require_injective: keeps the proof in the layout") {
  Layout layout = Layout::strided({2, 3}, {3, 1});
  CHECK(layout.injectivity() == Injectivity::unknown);
  require_injective(layout);
  CHECK(layout.injectivity() == Injectivity::yes);
  require_injective(layout, "view_mut", 0);
}

TEST_CASE("require_injective: refuses an overlap with its witness and what is undecided without one") {
  Layout sliding = Layout::strided({3, 3}, {1, 1}, 2);
  try {
    require_injective(sliding);
    FAIL("not refused");
  } catch (const tenure::ValidationError& error) {
    const auto* detail = error.get_if<tenure::OverlappingMutableLayout>();
    REQUIRE(detail != nullptr);
    REQUIRE(detail->witness.has_value());
    CHECK(is_witness(sliding, *detail->witness));
  }
  CHECK(sliding.injectivity() == Injectivity::unknown);

  Layout hard = Layout::strided({30, 30, 30, 30}, {10000019, 12345701, 15485863, 17000023});
  try {
    require_injective(hard, "view_mut", 3);
    FAIL("not refused");
  } catch (const tenure::ValidationError& error) {
    const auto* detail = error.get_if<tenure::OverlappingMutableLayout>();
    REQUIRE(detail != nullptr);
    CHECK_FALSE(detail->witness.has_value());
    CHECK(detail->work >= 3);
  }
}
