// SPDX-License-Identifier: Apache-2.0
#include "tenure/layout/strided_cursor.hpp"

#include <doctest/doctest.h>

#include "random_layout.hpp"

using tenure::Layout;
using tenure::StridedCursor;
using tenure_test::Numbers;

TEST_CASE("StridedCursor: visits the elements of random layouts with the first axis fastest") {
  constexpr std::uint64_t seed = 20240607;
  MESSAGE("seed " << seed);
  tenure_test::Random random(seed);
  for (int round = 0; round < 3000; ++round) {
    const Layout layout = tenure_test::random_layout(random, 9, 3);
    Numbers expected;
    tenure_test::for_each_index(tenure_test::extents_of(layout),
                                [&](const Numbers& index) { expected.push_back(layout.element_at(index)); });
    Numbers found;
    for (StridedCursor at(layout); !at.done(); at.advance()) found.push_back(at.element());
    REQUIRE((found == expected));
  }
}

TEST_CASE("StridedCursor: rank 0 has one element and an extent of 0 has none") {
  StridedCursor one{Layout::strided({}, {}, 5)};
  CHECK(one.element() == 5);
  one.advance();
  CHECK(one.done());
  const std::int64_t huge = std::int64_t{1} << 62;
  CHECK(StridedCursor(Layout::column_major({huge, huge, huge, 0})).done());
}
