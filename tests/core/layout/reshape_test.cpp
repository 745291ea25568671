// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <optional>

#include "random_layout.hpp"
#include "refused.hpp"

using tenure::Layout;
using tenure_test::for_each_index;
using tenure_test::Numbers;
using tenure_test::Random;
using tenure_test::refused;
using tenure_test::uniform;

namespace {

constexpr std::uint64_t seed = 20240603;

// Distributes the elements over new axes, now and then with axes of extent 1 between them.
Numbers random_extents(Random& random, std::int64_t elements) {
  Numbers extents;
  while (elements > 1) {
    std::int64_t factor = uniform(random, 1, elements);
    while (elements % factor != 0) --factor;
    extents.push_back(factor);
    elements /= factor;
  }
  while (uniform(random, 0, 2) == 0) {
    extents.insert(extents.begin() + uniform(random, 0, static_cast<std::int64_t>(extents.size())), 1);
  }
  return extents;
}

// The layout with `extents` over exactly these elements, first axis fastest, if strides can say it.
std::optional<Layout> layout_over(const Numbers& elements, const Numbers& extents) {
  Numbers strides;
  std::size_t step = 1;
  for (const std::int64_t extent : extents) {
    strides.push_back(extent == 1 ? 1 : elements[step] - elements[0]);
    step *= static_cast<std::size_t>(extent);
  }
  const Layout layout = Layout::strided(extents, strides, elements[0]);
  std::size_t next = 0;
  bool same = true;
  for_each_index(extents,
                 [&](const Numbers& index) { same = same && layout.element_at(index) == elements[next++]; });
  return same ? std::optional(layout) : std::nullopt;
}

}  // namespace

TEST_CASE("reshape: gives the layout that exists and refuses exactly where none does") {
  MESSAGE("seed " << seed);
  Random random(seed);
  int possible = 0;
  for (int round = 0; round < 20000; ++round) {
    Layout source = tenure_test::random_layout(random, 4, 4);
    if (source.is_empty()) continue;
    // Compact layouts whose fast axis was cut leave some reshapes possible and some not.
    if (source.rank() > 0 && uniform(random, 0, 1) == 0) {
      source = source.slice(uniform(random, 0, source.rank() - 1), {uniform(random, 0, 1)});
    }
    if (source.is_empty()) continue;
    Numbers elements;
    for_each_index(tenure_test::extents_of(source),
                   [&](const Numbers& index) { elements.push_back(source.element_at(index)); });
    const Numbers extents = random_extents(random, source.element_count());
    const std::optional<Layout> expected = layout_over(elements, extents);
    if (expected) {
      ++possible;
      REQUIRE(source.reshape(extents) == *expected);
    } else {
      REQUIRE(refused<tenure::NotCompact>([&] { return source.reshape(extents); }));
    }
  }
  CHECK(possible > 5000);
  CHECK(possible < 19000);
}

TEST_CASE("reshape: enumerates the first axis fastest") {
  const Layout layout = Layout::column_major({2, 6}).reshape({4, 3});
  CHECK(layout == Layout::column_major({4, 3}));
  CHECK(Layout::column_major({6}).flip(0).reshape({2, 3}) == Layout::strided({2, 3}, {-1, -2}, 5));
  CHECK(refused<tenure::NotCompact>([] { return Layout::row_major({2, 3}).reshape({6}); }));
}

TEST_CASE("reshape: refuses another number of elements, also from and to none") {
  CHECK(refused<tenure::ReshapeElementCount>([] { return Layout::column_major({2, 3}).reshape({5}); }));
  CHECK(refused<tenure::ReshapeElementCount>([] { return Layout::column_major({0}).reshape({}); }));
  CHECK(refused<tenure::ReshapeElementCount>([] { return Layout().reshape({0, 2}); }));
  CHECK(refused<tenure::NegativeExtent>([] { return Layout::column_major({6}).reshape({-2, -3}); }));
  CHECK(Layout::column_major({0, 3}).reshape({7, 0, 2}) == Layout::column_major({7, 0, 2}));
  CHECK(Layout::strided({1}, {1}, 9).reshape({}) == Layout::strided({}, {}, 9));
}

TEST_CASE("reshape: the error names the copy that would do") {
  try {
    static_cast<void>(Layout::row_major({2, 3}).reshape({6}));
    FAIL("not refused");
  } catch (const tenure::ValidationError& error) {
    CHECK(error.message().find("to_col_major") != std::string_view::npos);
  }
}
