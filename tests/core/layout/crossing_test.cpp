// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <map>
#include <vector>

#include "brute_force.hpp"
#include "tenure/layout/overlap.hpp"

using tenure::decide_crossing;
using tenure::IndexPair;
using tenure::Layout;
using tenure::OverlapVerdict;
using tenure::PlacedLayout;
using tenure::SearchAnswer;
using tenure_test::Numbers;
using tenure_test::Random;
using tenure_test::uniform;

namespace {

constexpr std::uint64_t address = 100000;

// Index i of `a` and another index of `b` share a byte, found by walking all of them.
bool crosses(const PlacedLayout& a, const PlacedLayout& b) {
  std::map<std::int64_t, std::vector<Numbers>> indices;  // by byte
  const auto for_each_byte = [](const PlacedLayout& placed, auto visit) {
    const auto size = static_cast<std::int64_t>(placed.element_bytes);
    tenure_test::for_each_index(tenure_test::extents_of(placed.layout), [&](const Numbers& index) {
      const std::int64_t first =
          static_cast<std::int64_t>(placed.address_bytes) + placed.layout.element_at(index) * size;
      for (std::int64_t byte = first; byte < first + size; ++byte) visit(byte, index);
    });
  };
  for_each_byte(a, [&](std::int64_t byte, const Numbers& index) { indices[byte].push_back(index); });
  bool found = false;
  for_each_byte(b, [&](std::int64_t byte, const Numbers& index) {
    const auto at = indices.find(byte);
    if (at == indices.end()) return;
    for (const Numbers& other : at->second) found = found || other != index;
  });
  return found;
}

// A decided, right answer, with a witness if there is one.
bool crossing_is_right(const PlacedLayout& a, const PlacedLayout& b, bool crossing) {
  IndexPair witness;
  const OverlapVerdict verdict = decide_crossing(a, b, tenure::search_work_limit_default, &witness);
  if (verdict.answer != (crossing ? SearchAnswer::yes : SearchAnswer::no)) return false;
  if (!crossing) return witness == IndexPair{};
  return witness.first != witness.second && tenure_test::is_witness(a, b, witness);
}

}  // namespace

TEST_CASE("decide_crossing: agrees with a walk over all pairs of indices, and its witness is one of them") {
  constexpr std::uint64_t seed = 20261207;
  MESSAGE("seed " << seed);
  Random random(seed);
  int crossings = 0;
  int same_index_only = 0;
  for (int round = 0; round < 4000; ++round) {
    const std::int64_t rank = uniform(random, 0, 3);
    const Numbers extents = tenure_test::random_numbers(random, rank, 1, 4);
    const Numbers strides = tenure_test::random_numbers(random, rank, -6, 6);
    Numbers others = tenure_test::random_numbers(random, rank, -6, 6);
    for (std::size_t axis = 0; axis < others.size(); ++axis) {
      if (uniform(random, 0, 2) != 0) others[axis] = strides[axis];
    }
    const Layout a = Layout::strided(extents, strides, uniform(random, -2, 2));
    const Layout b = Layout::strided(extents, others, uniform(random, -2, 2));
    const std::size_t size = uniform(random, 0, 3) == 0 ? 2 : 8;
    const PlacedLayout placed_a{address, a, 8};
    const PlacedLayout placed_b{address + (uniform(random, 0, 3) == 0 ? 4u : 0u), b, size};
    const bool crossing = crosses(placed_a, placed_b);
    CAPTURE(round);
    REQUIRE(crossing_is_right(placed_a, placed_b, crossing));
    crossings += crossing;
    same_index_only += !crossing && tenure::decide_overlap(placed_a, placed_b).answer == SearchAnswer::yes;
  }
  CHECK(crossings > 500);
  CHECK(same_index_only > 100);
}

TEST_CASE("decide_crossing: a matrix and its transpose share other indices than the diagonal") {
  const Layout matrix = Layout::column_major({2, 2});
  const Layout transposed = matrix.transposed();
  const PlacedLayout written{address, matrix, 8};
  const PlacedLayout read{address, transposed, 8};
  CHECK(crossing_is_right(written, read, true));
  CHECK(decide_crossing(written, written).answer == SearchAnswer::no);
}

TEST_CASE("decide_crossing: large layouts that meet at equal indices alone are decided in few steps") {
  const Layout line = Layout::column_major({1000000});
  const Layout sparse = Layout::strided({1000000}, {3000000});
  const OverlapVerdict one_place = decide_crossing({address, line, 8}, {address, sparse, 8});
  CHECK(one_place.answer == SearchAnswer::no);
  CHECK(one_place.work < 20000);

  const Layout complex = Layout::column_major({300, 300});
  const Layout real_parts = complex.as_real().select(0, 0);
  CHECK(decide_crossing({address, real_parts, 8}, {address, complex, 16}).answer == SearchAnswer::no);
}

TEST_CASE("decide_crossing: is undecided when the work limit is too small and gives no witness then") {
  const Layout line = Layout::column_major({1000000});
  const Layout sparse = Layout::strided({1000000}, {3000000});
  IndexPair witness;
  const OverlapVerdict verdict = decide_crossing({address, line, 8}, {address, sparse, 8}, 200, &witness);
  CHECK(verdict.answer == SearchAnswer::undecided);
  CHECK(witness == IndexPair{});
}
