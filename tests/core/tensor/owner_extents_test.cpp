// SPDX-License-Identifier: Apache-2.0
#include "tenure/tensor/owner_extents.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

using namespace tenure;

namespace {

std::vector<std::int64_t> extents_of_rank(std::size_t rank) {
  std::vector<std::int64_t> extents(rank);
  std::iota(extents.begin(), extents.end(), 1);
  return extents;
}

}  // namespace

TEST_CASE("OwnerExtents: a list of any rank is kept and moves along, and what it leaves has rank 0") {
  for (const std::size_t rank : {0u, 1u, 6u, 7u, 64u}) {
    CAPTURE(rank);
    const auto extents = extents_of_rank(rank);
    OwnerExtents first{AxisValues(extents)};
    CHECK(std::ranges::equal(first.span(), extents));
    OwnerExtents second = std::move(first);
    CHECK(std::ranges::equal(second.span(), extents));
    CHECK(first.span().empty());
  }
}

TEST_CASE("OwnerExtents: assigning replaces a list of any rank by one of any other") {
  for (const std::size_t from : {0u, 6u, 7u, 20u}) {
    for (const std::size_t to : {0u, 6u, 7u, 20u}) {
      OwnerExtents target{AxisValues(extents_of_rank(to))};
      OwnerExtents source{AxisValues(extents_of_rank(from))};
      target = std::move(source);
      CHECK(std::ranges::equal(target.span(), extents_of_rank(from)));
      CHECK(source.span().empty());
    }
  }
}
