// SPDX-License-Identifier: Apache-2.0
#include "tenure/layout/overlap.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "random_layout.hpp"
#include "refused.hpp"

using tenure::decide_overlap;
using tenure::Layout;
using tenure::OverlapVerdict;
using tenure::PlacedLayout;
using tenure::SearchAnswer;
using tenure_test::Numbers;
using tenure_test::Random;
using tenure_test::uniform;

namespace {

constexpr std::uint64_t address = 100000;

// The first byte of each element, sorted.
std::vector<std::int64_t> element_addresses(const PlacedLayout& placed) {
  const Layout& layout = placed.layout;
  const Numbers strides(layout.strides().begin(), layout.strides().end());
  std::vector<std::int64_t> addresses;
  tenure_test::for_each_index(tenure_test::extents_of(layout), [&](const Numbers& index) {
    addresses.push_back(static_cast<std::int64_t>(placed.address_bytes) +
                        static_cast<std::int64_t>(placed.element_bytes) *
                            tenure_test::element_of(strides, layout.offset(), index));
  });
  std::sort(addresses.begin(), addresses.end());
  return addresses;
}

bool share_a_byte(const std::vector<std::int64_t>& a, std::size_t size_a, const std::vector<std::int64_t>& b,
                  std::size_t size_b) {
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    if (a[i] + static_cast<std::int64_t>(size_a) <= b[j]) {
      ++i;
    } else if (b[j] + static_cast<std::int64_t>(size_b) <= a[i]) {
      ++j;
    } else {
      return true;
    }
  }
  return false;
}

bool is_witness(const PlacedLayout& a, const PlacedLayout& b, const tenure::IndexPair& pair) {
  const auto element_a = a.layout.find_element(pair.first);
  const auto element_b = b.layout.find_element(pair.second);
  if (!element_a || !element_b) return false;
  const auto size_a = static_cast<std::int64_t>(a.element_bytes);
  const auto size_b = static_cast<std::int64_t>(b.element_bytes);
  const std::int64_t first_a = static_cast<std::int64_t>(a.address_bytes) + *element_a * size_a;
  const std::int64_t first_b = static_cast<std::int64_t>(b.address_bytes) + *element_b * size_b;
  return first_a < first_b + size_b && first_b < first_a + size_a;
}

bool is_right(const PlacedLayout& a, const PlacedLayout& b, bool overlap) {
  const OverlapVerdict verdict = decide_overlap(a, b);
  if (verdict.answer != (overlap ? SearchAnswer::yes : SearchAnswer::no)) return false;
  return overlap ? verdict.witness && is_witness(a, b, *verdict.witness) : !verdict.witness;
}

bool agrees_with_enumeration(const PlacedLayout& a, const PlacedLayout& b) {
  return is_right(a, b,
                  share_a_byte(element_addresses(a), a.element_bytes, element_addresses(b), b.element_bytes));
}

// Every layout of rank 0 to 2 with extents 2 and 3 and strides -4 to 4. Extent 1 adds no further one.
std::vector<Layout> small_layouts() {
  std::vector<Layout> layouts{Layout()};
  for (std::int64_t extent = 2; extent <= 3; ++extent) {
    for (std::int64_t stride = -4; stride <= 4; ++stride) {
      layouts.push_back(Layout::strided({extent}, {stride}));
      for (std::int64_t extent2 = 2; extent2 <= 3; ++extent2) {
        for (std::int64_t stride2 = -4; stride2 <= 4; ++stride2) {
          layouts.push_back(Layout::strided({extent, extent2}, {stride, stride2}));
        }
      }
    }
  }
  return layouts;
}

}  // namespace

TEST_CASE("decide_overlap: agrees with enumeration for all pairs of small layouts at seven distances") {
  const std::vector<Layout> layouts = small_layouts();
  std::vector<std::vector<std::int64_t>> addresses;
  for (const Layout& layout : layouts) addresses.push_back(element_addresses({address, layout, 1}));
  for (std::size_t i = 0; i < layouts.size(); ++i) {
    for (std::size_t j = 0; j < layouts.size(); ++j) {
      for (std::int64_t distance = 0; distance <= 6; ++distance) {
        std::vector<std::int64_t> moved = addresses[j];
        for (std::int64_t& element : moved) element += distance;
        const PlacedLayout a{address, layouts[i], 1};
        const PlacedLayout b{address + static_cast<std::uint64_t>(distance), layouts[j], 1};
        const bool right = is_right(a, b, share_a_byte(addresses[i], 1, moved, 1));
        REQUIRE_MESSAGE(right, "layouts " << i << " and " << j << " at distance " << distance);
      }
    }
  }
}

TEST_CASE("decide_overlap: agrees with enumeration for random pairs of any element sizes and alignment") {
  constexpr std::uint64_t seed = 20240611;
  MESSAGE("seed " << seed);
  Random random(seed);
  int overlaps = 0;
  constexpr int rounds = 120000;
  for (int round = 0; round < rounds; ++round) {
    const auto random_operand = [&] {
      const std::int64_t rank = uniform(random, 0, 4);
      const std::int64_t spread = std::int64_t{1} << uniform(random, 1, 6);
      return Layout::strided(tenure_test::random_numbers(random, rank, 1, 4),
                             tenure_test::random_numbers(random, rank, -spread, spread),
                             uniform(random, -20, 20));
    };
    const Layout layout_a = random_operand();
    const Layout layout_b = random_operand();
    const std::size_t size_a = std::size_t{1} << uniform(random, 0, 4);
    const std::size_t size_b = uniform(random, 0, 1) == 0 ? size_a : std::size_t{1} << uniform(random, 0, 4);
    const std::uint64_t shift = uniform(random, 0, 2) == 0 ? random() % 16 : size_a * (random() % 8);
    const PlacedLayout a{address, layout_a, size_a};
    const PlacedLayout b{address + shift, layout_b, size_b};
    const bool overlap = share_a_byte(element_addresses(a), size_a, element_addresses(b), size_b);
    overlaps += overlap;
    REQUIRE_MESSAGE(is_right(a, b, overlap), "round " << round);
  }
  CHECK(overlaps > rounds / 10);
  CHECK(overlaps < rounds * 9 / 10);
}

TEST_CASE("decide_overlap: interleaved slices of one tensor are told apart up to rank 6") {
  constexpr std::uint64_t seed = 20240612;
  MESSAGE("seed " << seed);
  Random random(seed);
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
    REQUIRE(agrees_with_enumeration(placed_a, placed_b));
    overlaps += decide_overlap(placed_a, placed_b).answer == SearchAnswer::yes;
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
  const OverlapVerdict verdict = decide_overlap({0, a, 8}, {8, b, 8}, 2);
  CHECK(verdict.answer == SearchAnswer::undecided);
  CHECK_FALSE(verdict.witness.has_value());
  CHECK(verdict.work == 2);
}

TEST_CASE("decide_overlap: a reach that no address space holds is refused") {
  const Layout wide = Layout::strided({2}, {std::int64_t{1} << 61});
  CHECK(tenure_test::refused<tenure::IntegerOverflow>([&] {
    return decide_overlap({0, wide, 8}, {0, wide, 8});
  }));
}
