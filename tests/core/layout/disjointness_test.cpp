// SPDX-License-Identifier: Apache-2.0
// Both exact questions, injectivity and overlap, against walks over every index: all small layouts, a million
// larger pairs.
#include <doctest/doctest.h>

#include <bitset>
#include <vector>

#include "brute_force.hpp"
#include "random_pair.hpp"
#include "tenure/layout/injectivity.hpp"
#include "tenure/layout/overlap.hpp"

using tenure::decide_injectivity;
using tenure::decide_overlap;
using tenure::Layout;
using tenure::OverlapVerdict;
using tenure::PlacedLayout;
using tenure::SearchAnswer;
using tenure_test::is_injective;
using tenure_test::is_right;
using tenure_test::Marks;
using tenure_test::Numbers;
using tenure_test::overlap_is_right;
using tenure_test::Random;
using tenure_test::RandomPair;
using tenure_test::share_a_byte;

namespace {

// Calls `visit` with every layout of this rank, extents within [extent_min, extent_max], strides within
// [-stride_max, stride_max].
template <class Visit>
void for_each_layout(std::size_t rank, std::int64_t extent_min, std::int64_t extent_max,
                     std::int64_t stride_max, Visit visit) {
  const Numbers extent_counts(rank, extent_max - extent_min + 1);
  const Numbers stride_counts(rank, 2 * stride_max + 1);
  tenure_test::for_each_index(extent_counts, [&](Numbers extents) {
    for (std::int64_t& extent : extents) extent += extent_min;
    tenure_test::for_each_index(stride_counts, [&](Numbers strides) {
      for (std::int64_t& stride : strides) stride -= stride_max;
      visit(Layout::strided(extents, strides));
    });
  });
}

void describe(const Layout& layout) {
  for (std::int64_t axis = 0; axis < layout.rank(); ++axis) {
    MESSAGE("axis " << axis << ": extent " << layout.extent(axis) << ", stride " << layout.stride(axis));
  }
}

// Bit i stands for element i - small_origin.
constexpr std::int64_t small_origin = 16;
using SmallSet = std::bitset<64>;

struct SmallLayout {
  Layout layout;
  SmallSet elements;
  std::int64_t lowest;
  std::int64_t highest;
};

// Of rank 0 to 2 with extents 2 and 3 and strides -4 to 4. Extents of 1 add no further one.
std::vector<SmallLayout> small_layouts() {
  std::vector<SmallLayout> all;
  for (const std::size_t rank : {0u, 1u, 2u}) {
    for_each_layout(rank, 2, 3, 4, [&](const Layout& layout) {
      SmallSet elements;
      tenure_test::for_each_element(layout, [&](std::int64_t element) {
        elements.set(static_cast<std::size_t>(element + small_origin));
        return true;
      });
      all.push_back({layout, elements, layout.reach()->lowest, layout.reach()->highest});
    });
  }
  return all;
}

struct Shares {
  int meeting = 0;
  int disjoint = 0;  // though their byte ranges meet
  int overlapping = 0;
  int undecided = 0;  // of a rank above 4
};

bool ranges_meet(const PlacedLayout& a, const PlacedLayout& b) {
  const auto first = [](const PlacedLayout& placed) {
    return static_cast<std::int64_t>(placed.address_bytes) +
           placed.layout.reach()->lowest * static_cast<std::int64_t>(placed.element_bytes);
  };
  const auto end = [](const PlacedLayout& placed) {
    return static_cast<std::int64_t>(placed.address_bytes) +
           (placed.layout.reach()->highest + 1) * static_cast<std::int64_t>(placed.element_bytes);
  };
  return first(a) < end(b) && first(b) < end(a);
}

}  // namespace

TEST_CASE("decide_injectivity: agrees with a walk for every layout of rank up to 3 and extents up to 4") {
  Marks marks(128);
  std::int64_t count = 0;
  std::int64_t injective_count = 0;
  for (const std::size_t rank : {0u, 1u, 2u, 3u}) {
    for_each_layout(rank, 0, 4, 8, [&](const Layout& layout) {
      const bool injective = is_injective(marks, layout);
      ++count;
      injective_count += injective;
      if (is_right(decide_injectivity(layout), layout, injective)) return;
      describe(layout);
      FAIL("wrong or undecided");
    });
  }
  MESSAGE(injective_count << " of " << count << " are injective");
}

TEST_CASE("decide_overlap: agrees with a walk for every pair of small layouts at every distance that meets") {
  const std::vector<SmallLayout> layouts = small_layouts();
  std::int64_t count = 0;
  for (const SmallLayout& a : layouts) {
    for (const SmallLayout& b : layouts) {
      for (std::int64_t distance = a.lowest - b.highest; distance <= a.highest - b.lowest; ++distance) {
        const SmallSet moved = distance < 0 ? b.elements >> static_cast<std::size_t>(-distance)
                                            : b.elements << static_cast<std::size_t>(distance);
        const PlacedLayout placed_a{1000, a.layout, 1};
        const PlacedLayout placed_b{static_cast<std::uint64_t>(1000 + distance), b.layout, 1};
        ++count;
        if (overlap_is_right(placed_a, placed_b, (a.elements & moved).any())) continue;
        describe(a.layout);
        describe(b.layout);
        FAIL("wrong or undecided at distance " << distance);
      }
    }
  }
  MESSAGE(count << " pairs");
}

TEST_CASE("decide_overlap: agrees with a walk for a million pairs of any rank, element size and alignment") {
  constexpr std::uint64_t seed = 20240611;
  constexpr int rounds = 1'000'000;
  MESSAGE("seed " << seed);
  Random random(seed);
  Marks marks(RandomPair::reach_bytes);
  Shares shares;
  for (int round = 0; round < rounds; ++round) {
    const RandomPair pair = tenure_test::random_pair(random, 8);
    const bool overlap = share_a_byte(marks, pair.a(), pair.b(), RandomPair::origin);
    const bool meet = ranges_meet(pair.a(), pair.b());
    shares.meeting += meet;
    shares.overlapping += overlap;
    shares.disjoint += meet && !overlap;
    const OverlapVerdict verdict = decide_overlap(pair.a(), pair.b());
    if (verdict.answer == SearchAnswer::undecided && pair.layout_a.rank() + pair.layout_b.rank() > 8) {
      ++shares.undecided;
      continue;
    }
    if (overlap_is_right(pair.a(), pair.b(), overlap)) continue;
    describe(pair.layout_a);
    describe(pair.layout_b);
    FAIL("wrong or undecided in round " << round);
  }
  MESSAGE(shares.meeting << " pairs of ranges meet, " << shares.disjoint << " of them interleave, "
                         << shares.overlapping << " overlap, " << shares.undecided << " are undecided");
  CHECK(shares.meeting >= rounds / 2);
  CHECK(shares.disjoint >= rounds / 10);
  CHECK(shares.overlapping >= rounds / 10);
}
