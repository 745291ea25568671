// SPDX-License-Identifier: Apache-2.0
#include "layout/fused_axes.hpp"

#include <doctest/doctest.h>

#include <set>

#include "random_layout.hpp"

using tenure::FusedAxes;
using tenure::Layout;
using tenure_test::Numbers;

TEST_CASE("FusedAxes: compact operands in the same order become one axis") {
  const Layout a = Layout::column_major({2, 3, 1, 4});
  const Layout b = Layout::strided({2, 3, 1, 4}, {2, 4, 9, 12}, 7);
  const FusedAxes<2> axes({&a, &b});
  REQUIRE(axes.rank() == 1);
  CHECK(axes.extent(0) == 24);
  CHECK(axes.stride(0, 0) == 1);
  CHECK(axes.stride(1, 0) == 2);
  CHECK(axes.offset(1) == 7);
}

TEST_CASE("FusedAxes: an operand that steps unevenly keeps the axes apart") {
  const Layout a = Layout::column_major({2, 3});
  const Layout b = Layout::row_major({2, 3});
  const Layout c = Layout::row_major({2, 3});
  CHECK(FusedAxes<2>({&a, &b}).rank() == 2);
  CHECK(FusedAxes<2>({&b, &c}).rank() == 1);
  CHECK(FusedAxes<3>({&b, &c, &a}).rank() == 2);
}

TEST_CASE("FusedAxes: operands that are broadcast alike fuse") {
  const Layout a = Layout::strided({4, 5}, {0, 0}, 3);
  CHECK(FusedAxes<1>({&a}).rank() == 1);
}

TEST_CASE("FusedAxes: random operands keep their pairs of elements and the order of the first") {
  constexpr std::uint64_t seed = 20240606;
  MESSAGE("seed " << seed);
  tenure_test::Random random(seed);
  for (int round = 0; round < 5000; ++round) {
    const Layout a = tenure_test::random_layout(random, 4, 4);
    if (a.is_empty()) continue;
    const Numbers strides = tenure_test::random_numbers(random, a.rank(), -9, 9);
    const Layout b = Layout::strided(a.extents(), strides, 4);
    std::multiset<std::pair<std::int64_t, std::int64_t>> expected;
    tenure_test::for_each_index(tenure_test::extents_of(a), [&](const Numbers& index) {
      expected.emplace(a.element_at(index), b.element_at(index));
    });

    const FusedAxes<2> axes({&a, &b});
    Numbers extents;
    Numbers fused_strides[2];
    for (std::int64_t axis = 0; axis < axes.rank(); ++axis) {
      extents.push_back(axes.extent(axis));
      fused_strides[0].push_back(axes.stride(0, axis));
      fused_strides[1].push_back(axes.stride(1, axis));
      REQUIRE(axes.extent(axis) > 1);
      REQUIRE(axes.stride(0, axis) >= (axis == 0 ? 0 : axes.stride(0, axis - 1)));
    }
    std::multiset<std::pair<std::int64_t, std::int64_t>> found;
    tenure_test::for_each_index(extents, [&](const Numbers& index) {
      found.emplace(tenure_test::element_of(fused_strides[0], axes.offset(0), index),
                    tenure_test::element_of(fused_strides[1], axes.offset(1), index));
    });
    REQUIRE((found == expected));
  }
}
