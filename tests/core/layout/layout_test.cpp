// SPDX-License-Identifier: Apache-2.0
#include "tenure/layout/layout.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <set>

#include "random_layout.hpp"
#include "tenure/base/validation_error.hpp"

using tenure::ElementReach;
using tenure::Injectivity;
using tenure::Layout;
using tenure::ValidationError;
using tenure_test::Numbers;

namespace {

constexpr std::int64_t int64_max = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t int64_min = std::numeric_limits<std::int64_t>::min();

Numbers strides_of(const Layout& layout) { return {layout.strides().begin(), layout.strides().end()}; }

// The detail of the ValidationError that `make` must throw.
template <class Detail, class Make>
Detail thrown(Make make) {
  try {
    static_cast<void>(make());
  } catch (const ValidationError& error) {
    REQUIRE_MESSAGE(error.get_if<Detail>() != nullptr, error.what());
    return *error.get_if<Detail>();
  }
  FAIL("nothing was thrown");
  return Detail{};
}

}  // namespace

TEST_CASE("Layout: the default has rank 0 and one element at offset 0") {
  const Layout layout;
  CHECK(layout.rank() == 0);
  CHECK(layout.element_count() == 1);
  CHECK(layout.reach() == ElementReach{0, 0});
  CHECK(layout.required_bytes(8) == 8);
  CHECK(layout == Layout::column_major({}));
  CHECK(layout == Layout::row_major({}));
}

TEST_CASE("Layout: compact layouts count their strides from the fast axis") {
  CHECK(strides_of(Layout::column_major({2, 3, 4})) == Numbers{1, 2, 6});
  CHECK(strides_of(Layout::row_major({2, 3, 4})) == Numbers{12, 4, 1});
  CHECK(Layout::column_major({2, 3, 4}).is_column_major());
  CHECK_FALSE(Layout::column_major({2, 3, 4}).is_row_major());
  CHECK(Layout::row_major({2, 3, 4}).is_row_major());
  CHECK(Layout::column_major({2, 3, 4}).injectivity() == Injectivity::yes);
}

TEST_CASE("Layout: the strides of axes of extent 1 never matter") {
  const Layout odd = Layout::strided({2, 1, 3}, {1, -77, 2});
  CHECK(odd == Layout::column_major({2, 1, 3}));
  CHECK(odd.is_column_major());
  CHECK(Layout::strided({1, 1}, {int64_max, int64_min}).is_row_major());
}

TEST_CASE("Layout: without elements only the extents remain") {
  const Layout empty = Layout::strided({2, 0, 3}, {5, 7, -9}, 1000);
  CHECK(empty == Layout::column_major({2, 0, 3}));
  CHECK(empty == Layout::row_major({2, 0, 3}));
  CHECK(empty.element_count() == 0);
  CHECK(empty.is_empty());
  CHECK(empty.reach() == std::nullopt);
  CHECK(empty.required_bytes(8) == 0);
  CHECK(empty.is_column_major());
  CHECK(empty.is_row_major());
  CHECK(empty.is_dense());
  CHECK(empty.injectivity() == Injectivity::yes);
  empty.require_within(0);
}

TEST_CASE("Layout: an extent of 0 hides no overflow and no undefined arithmetic") {
  const std::int64_t huge = std::int64_t{1} << 62;
  const Layout empty = Layout::column_major({huge, huge, huge, 0});
  CHECK(empty.element_count() == 0);
  CHECK(empty.reach() == std::nullopt);
  CHECK(empty.select(0, huge - 1).is_empty());
  CHECK(empty.flip(1) == empty);
  CHECK(thrown<tenure::IntegerOverflow>([&] {
          return empty.broadcast_to({huge, huge, huge, 4});
        }).quantity == "element count");
}

TEST_CASE("Layout: reach and size in bytes follow negative strides and the offset") {
  const Layout layout = Layout::strided({3, 4}, {-2, 10}, 6);
  CHECK(layout.reach() == ElementReach{2, 36});
  CHECK(layout.required_bytes(8) == 37 * 8);
  layout.require_within(37);
  const auto outside = thrown<tenure::ViewOutOfBounds>([&] {
    layout.require_within(36);
    return 0;
  });
  CHECK(outside.lowest == 2);
  CHECK(outside.highest == 36);
  CHECK(outside.available == 36);
  const Layout below = Layout::strided({3}, {-2}, 3);
  CHECK(thrown<tenure::ViewOutOfBounds>([&] { return below.required_bytes(8); }).lowest == -1);
  CHECK_THROWS_AS(below.require_within(100), ValidationError);
}

TEST_CASE("Layout: counts, reaches and sizes that do not fit are refused") {
  const std::int64_t large = std::int64_t{1} << 32;
  CHECK(thrown<tenure::IntegerOverflow>([&] {
          return Layout::column_major({large, large});
        }).quantity == "element count");
  CHECK_THROWS_AS(Layout::row_major({large, large}), ValidationError);
  CHECK(thrown<tenure::IntegerOverflow>([] { return Layout::strided({3}, {int64_max}); }).quantity ==
        "reach of the elements");
  CHECK_THROWS_AS(Layout::strided({2}, {1}, int64_max), ValidationError);
  CHECK_THROWS_AS(Layout::strided({2}, {int64_min}, 0), ValidationError);
  CHECK_THROWS_AS(Layout::strided({2, 2}, {int64_max, -1}, 0), ValidationError);
  CHECK(Layout::strided({2}, {int64_max}).reach() == ElementReach{0, int64_max});
  CHECK(thrown<tenure::IntegerOverflow>([] {
          return Layout::strided({2}, {int64_max}).required_bytes(8);
        }).quantity == "size in bytes");
}

TEST_CASE("Layout: a rank of 64 works and 65 is refused") {
  const Numbers twos(62, 2);
  CHECK(Layout::column_major(twos).element_count() == std::int64_t{1} << 62);
  CHECK(Layout::column_major(Numbers(64, 1)).rank() == 64);
  const auto too_large =
      thrown<tenure::RankTooLarge>([] { return Layout::strided(Numbers(65, 1), Numbers(65, 1)); });
  CHECK(too_large.rank == 65);
  CHECK(too_large.rank_max == 64);
  CHECK_THROWS_AS(Layout::column_major(Numbers(64, 1)).insert_axis(0), ValidationError);
  CHECK_THROWS_AS(Layout::column_major(Numbers(64, 1)).as_real(), ValidationError);
}

TEST_CASE("Layout: negative extents and a wrong number of strides are refused") {
  const auto negative = thrown<tenure::NegativeExtent>([] { return Layout::column_major({2, -1}); });
  CHECK(negative.axis == 1);
  CHECK(negative.extent == -1);
  const auto mismatch = thrown<tenure::RankMismatch>([] { return Layout::strided({2, 3}, {1}); });
  CHECK(mismatch.expected == 2);
  CHECK(mismatch.actual == 1);
}

TEST_CASE("Layout: element_at checks rank and every index, find_element answers nothing instead") {
  const Layout layout = Layout::strided({2, 3}, {3, -1}, 2);
  CHECK(layout.element_at({1, 2}) == 3);
  CHECK(layout.find_element({1, 2}) == 3);
  const auto outside = thrown<tenure::IndexOutOfBounds>([&] { return layout.element_at({1, 3}); });
  CHECK(outside.axis == 1);
  CHECK(outside.index == 3);
  CHECK(outside.extent == 3);
  CHECK_THROWS_AS(layout.element_at({-1, 0}), ValidationError);
  CHECK(thrown<tenure::RankMismatch>([&] { return layout.element_at({1}); }).actual == 1);
  CHECK(layout.find_element({2, 0}) == std::nullopt);
  CHECK(layout.find_element({0}) == std::nullopt);
}

TEST_CASE("Layout: copies and moves keep the layout at inline and at heap ranks") {
  for (const std::int64_t rank : {0, 2, 6, 7, 30}) {
    const Layout original = Layout::row_major(Numbers(static_cast<std::size_t>(rank), 2));
    Layout copy = original;
    CHECK(copy == original);
    Layout moved = std::move(copy);
    CHECK(moved == original);
    Layout assigned = Layout::column_major(Numbers(9, 1));
    assigned = moved;
    CHECK(assigned == original);
    assigned = Layout::column_major({3, 3});
    CHECK(assigned == Layout::column_major({3, 3}));
    assigned = std::move(moved);
    CHECK(assigned == original);
  }
}

TEST_CASE("Layout: the derived flags agree with an enumeration of the elements") {
  constexpr std::uint64_t seed = 20240601;
  MESSAGE("seed " << seed);
  tenure_test::Random random(seed);
  for (int round = 0; round < 20000; ++round) {
    const Numbers extents = tenure_test::random_numbers(random, tenure_test::uniform(random, 0, 3), 1, 3);
    const Numbers strides =
        tenure_test::random_numbers(random, static_cast<std::int64_t>(extents.size()), -9, 9);
    const Layout layout = Layout::strided(extents, strides, 5);
    std::int64_t next = 5;
    bool column_major = true;
    std::set<std::int64_t> elements;
    tenure_test::for_each_index(extents, [&](const Numbers& index) {
      column_major = column_major && layout.element_at(index) == next++;
      elements.insert(layout.element_at(index));
    });
    Numbers reversed(extents.rbegin(), extents.rend());
    next = 5;
    bool row_major = true;
    tenure_test::for_each_index(reversed, [&](const Numbers& index) {
      row_major = row_major && layout.element_at(Numbers(index.rbegin(), index.rend())) == next++;
    });
    const bool once = static_cast<std::int64_t>(elements.size()) == layout.element_count();
    const bool gapless = *elements.rbegin() - *elements.begin() + 1 == layout.element_count();
    CAPTURE(doctest::toString(layout.rank()));
    REQUIRE(layout.is_column_major() == column_major);
    REQUIRE(layout.is_row_major() == row_major);
    REQUIRE(layout.is_dense() == (once && gapless));
    REQUIRE(layout.reach() == ElementReach{*elements.begin(), *elements.rbegin()});
  }
}
