// SPDX-License-Identifier: Apache-2.0
// The transforms of a layout against an enumeration of its indices.
#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "random_layout.hpp"
#include "refused.hpp"

using tenure::Injectivity;
using tenure::Layout;
using tenure::Slice;
using tenure_test::extents_of;
using tenure_test::for_each_index;
using tenure_test::Numbers;
using tenure_test::Random;
using tenure_test::random_layout;
using tenure_test::refused;
using tenure_test::uniform;

namespace {

constexpr std::int64_t int64_max = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t int64_min = std::numeric_limits<std::int64_t>::min();
constexpr std::uint64_t seed = 20240602;

std::size_t at(std::int64_t axis) { return static_cast<std::size_t>(axis); }

// `source_index(index)` says which index of `source` an index of `result` stands for.
template <class SourceIndex>
void require_same_elements(const Layout& result, const Layout& source, SourceIndex source_index) {
  for_each_index(extents_of(result), [&](const Numbers& index) {
    REQUIRE(result.element_at(index) == source.element_at(source_index(index)));
  });
  // What is unchanged by construction from the same extents, strides and offset is sound and canonical.
  REQUIRE(result == Layout::strided(result.extents(), result.strides(), result.offset()));
}

// The indices that Python's range(*slice(start, stop, step).indices(extent)) gives, by walking.
Numbers python_indices(const Slice& slice, std::int64_t extent) {
  Numbers kept;
  const auto resolve = [&](std::int64_t bound) { return bound < 0 ? bound + extent : bound; };
  if (slice.step > 0) {
    const std::int64_t start = std::max<std::int64_t>(0, resolve(slice.start.value_or(0)));
    const std::int64_t stop = std::min(extent, resolve(slice.stop.value_or(extent)));
    for (std::int64_t i = start; i < stop; i += slice.step) kept.push_back(i);
  } else {
    const std::int64_t start = std::min(extent - 1, resolve(slice.start.value_or(extent - 1)));
    const std::int64_t stop = slice.stop ? std::max<std::int64_t>(-1, resolve(*slice.stop)) : -1;
    for (std::int64_t i = start; i > stop; i += slice.step) kept.push_back(i);
  }
  return kept;
}

Slice random_slice(Random& random) {
  Slice slice;
  if (uniform(random, 0, 2) != 0) slice.start = uniform(random, -7, 7);
  if (uniform(random, 0, 2) != 0) slice.stop = uniform(random, -7, 7);
  while ((slice.step = uniform(random, -3, 3)) == 0) {
  }
  return slice;
}

}  // namespace

TEST_CASE("Layout: diagonal walks two axes of random layouts at once") {
  MESSAGE("seed " << seed);
  Random random(seed);
  for (int round = 0; round < 2000; ++round) {
    const Layout layout = random_layout(random, 5);
    if (layout.rank() < 2) continue;
    const std::int64_t axis = uniform(random, 0, layout.rank() - 1);
    const std::int64_t other = (axis + uniform(random, 1, layout.rank() - 1)) % layout.rank();
    const std::int64_t offset = uniform(random, -5, 5);
    const Layout result = layout.diagonal(axis, other - layout.rank(), offset);
    // Where the diagonal stands once the other axis is gone.
    const std::int64_t place = other < axis ? axis - 1 : axis;
    const std::int64_t kept_start = std::max<std::int64_t>(0, -offset);
    const std::int64_t other_start = std::max<std::int64_t>(0, offset);
    Numbers expected = extents_of(layout);
    expected.erase(expected.begin() + other);
    expected[at(place)] = std::max<std::int64_t>(
        0, std::min(layout.extent(axis) - kept_start, layout.extent(other) - other_start));
    REQUIRE(extents_of(result) == expected);
    require_same_elements(result, layout, [&](Numbers index) {
      const std::int64_t i = index[at(place)];
      index[at(place)] = kept_start + i;
      index.insert(index.begin() + other, other_start + i);
      return index;
    });
    if (layout.injectivity() == Injectivity::yes) REQUIRE(result.injectivity() == Injectivity::yes);
  }
}

TEST_CASE("Layout: a diagonal that misses the elements is empty, one axis has none") {
  const Layout matrix = Layout::column_major({3, 4});
  CHECK(extents_of(matrix.diagonal(0, 1, int64_max)) == Numbers{0});
  CHECK(extents_of(matrix.diagonal(0, 1, int64_min)) == Numbers{0});
  CHECK(extents_of(matrix.diagonal(1, 0, 1)) == Numbers{2});
  CHECK(matrix.diagonal(0, 1, 3) == Layout::strided({1}, {1}, 9));
  CHECK(refused<tenure::DuplicateAxis>([&] { return matrix.diagonal(1, -1); }));
  CHECK(refused<tenure::AxisOutOfBounds>([&] { return matrix.diagonal(0, 2); }));
}

TEST_CASE("Layout: permute reorders the axes of random layouts and keeps what is known") {
  MESSAGE("seed " << seed);
  Random random(seed);
  for (int round = 0; round < 3000; ++round) {
    Layout source = random_layout(random, 5);
    source.record_injectivity(static_cast<Injectivity>(uniform(random, 0, 2)));
    Numbers axes(at(source.rank()));
    std::iota(axes.begin(), axes.end(), 0);
    std::shuffle(axes.begin(), axes.end(), random);
    Numbers signed_axes = axes;
    for (std::int64_t& axis : signed_axes) axis -= uniform(random, 0, 1) * source.rank();
    const Layout result = source.permute(signed_axes);
    require_same_elements(result, source, [&](const Numbers& index) {
      Numbers from(index.size());
      for (std::size_t axis = 0; axis < index.size(); ++axis) from[at(axes[axis])] = index[axis];
      return from;
    });
    REQUIRE(result.injectivity() == source.injectivity());
  }
}

TEST_CASE("Layout: permute refuses a wrong length, a repeated axis and an axis out of bounds") {
  const Layout layout = Layout::column_major({2, 3, 4});
  CHECK(refused<tenure::InvalidPermutationLength>([&] { return layout.permute({0, 1}); }));
  CHECK(refused<tenure::DuplicateAxis>([&] { return layout.permute({0, 1, -2}); }));
  CHECK(refused<tenure::AxisOutOfBounds>([&] { return layout.permute({0, 1, 3}); }));
  CHECK(refused<tenure::AxisOutOfBounds>([&] { return layout.permute({0, 1, int64_min}); }));
}

TEST_CASE("Layout: transposed turns column-major into row-major at every rank") {
  CHECK(Layout::column_major({2, 3, 4}).transposed() == Layout::row_major({4, 3, 2}));
  CHECK(Layout().transposed() == Layout());
  const Numbers ten(10, 2);
  CHECK(Layout::column_major(ten).transposed() == Layout::row_major(ten));
}

TEST_CASE("Layout: select fixes one index of random layouts") {
  Random random(seed + 1);
  for (int round = 0; round < 3000; ++round) {
    const Layout source = random_layout(random, 5);
    if (source.rank() == 0) continue;
    const std::int64_t axis = uniform(random, 0, source.rank() - 1);
    if (source.extent(axis) == 0) continue;
    const std::int64_t position = uniform(random, 0, source.extent(axis) - 1);
    const std::int64_t given = position - uniform(random, 0, 1) * source.extent(axis);
    const Layout result = source.select(axis - uniform(random, 0, 1) * source.rank(), given);
    require_same_elements(result, source, [&](Numbers index) {
      index.insert(index.begin() + axis, position);
      return index;
    });
  }
}

TEST_CASE("Layout: select refuses an index outside the axis and any index of an empty one") {
  const Layout layout = Layout::column_major({2, 0});
  CHECK(refused<tenure::IndexOutOfBounds>([&] { return layout.select(0, 2); }));
  CHECK(refused<tenure::IndexOutOfBounds>([&] { return layout.select(0, -3); }));
  CHECK(refused<tenure::IndexOutOfBounds>([&] { return layout.select(1, 0); }));
  CHECK(refused<tenure::AxisOutOfBounds>([&] { return layout.select(2, 0); }));
  CHECK(refused<tenure::AxisOutOfBounds>([&] { return Layout().select(0, 0); }));
}

TEST_CASE("Layout: slices keep the indices that Python keeps") {
  MESSAGE("seed " << seed + 2);
  Random random(seed + 2);
  for (int round = 0; round < 5000; ++round) {
    const Layout source = random_layout(random, 3, 6);
    std::vector<Slice> slices(at(source.rank()));
    std::vector<Numbers> kept(at(source.rank()));
    Layout one_by_one = source;
    for (std::int64_t axis = 0; axis < source.rank(); ++axis) {
      slices[at(axis)] = random_slice(random);
      kept[at(axis)] = python_indices(slices[at(axis)], source.extent(axis));
      one_by_one = one_by_one.slice(axis - source.rank(), slices[at(axis)]);
    }
    const Layout result = source.slice(slices);
    for (std::int64_t axis = 0; axis < source.rank(); ++axis) {
      REQUIRE(result.extent(axis) == static_cast<std::int64_t>(kept[at(axis)].size()));
    }
    require_same_elements(result, source, [&](Numbers index) {
      for (std::size_t axis = 0; axis < index.size(); ++axis) index[axis] = kept[axis][at(index[axis])];
      return index;
    });
    REQUIRE(one_by_one == result);
  }
}

TEST_CASE("Layout: slices with bounds and steps at the ends of 64 bits are clamped") {
  const Layout layout = Layout::column_major({5});
  CHECK(layout.slice({{int64_min, int64_max, 1}}) == layout);
  CHECK(layout.slice({{int64_max, int64_min, -1}}) == layout.flip(0));
  CHECK(layout.slice({{std::nullopt, std::nullopt, int64_max}}) == Layout::column_major({1}));
  CHECK(layout.slice({{std::nullopt, std::nullopt, int64_min}}) == Layout::strided({1}, {1}, 4));
  CHECK(layout.slice({{int64_max, int64_max, 1}}).is_empty());
}

TEST_CASE("Layout: slice refuses step 0 and a wrong number of slices") {
  const Layout layout = Layout::column_major({2, 3});
  CHECK(refused<tenure::InvalidSliceStep>([&] { return layout.slice(1, {0, 1, 0}); }));
  CHECK(refused<tenure::RankMismatch>([&] { return layout.slice({Slice{}}); }));
  CHECK(refused<tenure::AxisOutOfBounds>([&] { return layout.slice(2, {}); }));
}

TEST_CASE("Layout: flip walks an axis backwards and twice is the same layout") {
  Random random(seed + 3);
  for (int round = 0; round < 2000; ++round) {
    const Layout source = random_layout(random, 4);
    if (source.rank() == 0) continue;
    const std::int64_t axis = uniform(random, 0, source.rank() - 1);
    const Layout result = source.flip(axis);
    require_same_elements(result, source, [&](Numbers index) {
      index[at(axis)] = source.extent(axis) - 1 - index[at(axis)];
      return index;
    });
    REQUIRE(result.flip(axis - source.rank()) == source);
    REQUIRE(result == source.slice(axis, {std::nullopt, std::nullopt, -1}));
  }
}

TEST_CASE("Layout: insert_axis and remove_axis undo each other at every place") {
  Random random(seed + 4);
  for (int round = 0; round < 2000; ++round) {
    const Layout source = random_layout(random, 7, 2);
    const std::int64_t axis = uniform(random, -source.rank() - 1, source.rank());
    const std::int64_t place = axis < 0 ? axis + source.rank() + 1 : axis;
    const Layout result = source.insert_axis(axis);
    REQUIRE(result.extent(place) == 1);
    require_same_elements(result, source, [&](Numbers index) {
      index.erase(index.begin() + place);
      return index;
    });
    REQUIRE(result.remove_axis(axis) == source);
  }
  CHECK(refused<tenure::AxisOutOfBounds>([] { return Layout().insert_axis(1); }));
  CHECK(refused<tenure::AxisOutOfBounds>([] { return Layout().insert_axis(-2); }));
  CHECK(refused<tenure::InvalidArgument>([] { return Layout::column_major({2}).remove_axis(0); }));
  CHECK(refused<tenure::InvalidArgument>([] { return Layout::column_major({0}).remove_axis(0); }));
}

TEST_CASE("Layout: broadcast_to repeats axes of extent 1 of random layouts") {
  Random random(seed + 5);
  for (int round = 0; round < 2000; ++round) {
    const Layout source = random_layout(random, 4, 2);
    Numbers extents = extents_of(source);
    for (std::int64_t& extent : extents) extent = extent == 1 ? uniform(random, 0, 3) : extent;
    const Layout result = source.broadcast_to(extents);
    REQUIRE(extents_of(result) == extents);
    require_same_elements(result, source, [&](Numbers index) {
      for (std::size_t axis = 0; axis < index.size(); ++axis) {
        if (source.extent(static_cast<std::int64_t>(axis)) == 1) index[axis] = 0;
      }
      return index;
    });
  }
}

TEST_CASE("Layout: broadcast_to refuses another rank and an extent that is not 1") {
  const Layout layout = Layout::column_major({1, 3});
  CHECK(refused<tenure::RankMismatch>([&] { return layout.broadcast_to({3}); }));
  CHECK(refused<tenure::ShapeMismatch>([&] { return layout.broadcast_to({2, 4}); }));
  CHECK(refused<tenure::ShapeMismatch>([&] { return layout.broadcast_to({2, 1}); }));
  CHECK(refused<tenure::NegativeExtent>([&] { return layout.broadcast_to({-1, 3}); }));
}

TEST_CASE("Layout: what is known about injectivity follows the transforms") {
  for (const Injectivity known : {Injectivity::yes, Injectivity::no, Injectivity::unknown}) {
    Layout layout = Layout::column_major({4, 1, 3});
    layout.record_injectivity(known);
    const Injectivity only_yes = known == Injectivity::yes ? Injectivity::yes : Injectivity::unknown;
    CHECK(layout.permute({2, 0, 1}).injectivity() == known);
    CHECK(layout.transposed().injectivity() == known);
    CHECK(layout.insert_axis(0).injectivity() == known);
    CHECK(layout.remove_axis(1).injectivity() == known);
    CHECK(layout.flip(0).injectivity() == known);
    CHECK(layout.reshape({12}).injectivity() == known);
    CHECK(layout.as_real().injectivity() == known);
    CHECK(layout.as_real().as_complex().injectivity() == known);
    CHECK(layout.broadcast_to({4, 1, 3}).injectivity() == known);
    CHECK(layout.slice(0, {0, 2}).injectivity() == only_yes);
    CHECK(layout.select(0, 1).injectivity() == only_yes);
    CHECK(layout.broadcast_to({4, 2, 3}).injectivity() == Injectivity::unknown);
    CHECK(layout.slice(0, {0, 0}).injectivity() == Injectivity::yes);
    CHECK(layout.slice({{0, 1}, {}, {2, 3}}).injectivity() == Injectivity::yes);
    CHECK(layout.broadcast_to({4, 0, 3}).injectivity() == Injectivity::yes);
  }
}

TEST_CASE("Layout: slicing every axis of an empty layout gives extents, however large they are") {
  const Layout layout = Layout::column_major({int64_max, 0, int64_max, int64_max});
  const Slice last{int64_max - 1};
  const Slice halves{std::nullopt, std::nullopt, int64_max / 2};
  const Layout sliced = layout.slice({last, Slice{}, last, halves});
  CHECK(std::ranges::equal(sliced.extents(), std::vector<std::int64_t>{1, 0, 1, 3}));
  CHECK(std::ranges::equal(sliced.strides(), std::vector<std::int64_t>{1, 1, 1, 1}));
  CHECK(sliced.offset() == 0);
  CHECK(std::ranges::equal(layout.slice(3, halves).extents(),
                           std::vector<std::int64_t>{int64_max, 0, int64_max, 3}));
  CHECK(refused<tenure::InvalidSliceStep>([&] { return layout.slice(0, {0, 1, 0}); }));
}
