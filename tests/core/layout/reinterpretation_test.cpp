// SPDX-License-Identifier: Apache-2.0
#include "tenure/layout/reinterpretation.hpp"

#include <doctest/doctest.h>

#include "random_layout.hpp"
#include "refused.hpp"

using tenure::Layout;
using tenure_test::Numbers;
using tenure_test::refused;

TEST_CASE("reinterpret_layout: complex as real adds a first axis over both parts of random layouts") {
  constexpr std::uint64_t seed = 20240604;
  MESSAGE("seed " << seed);
  tenure_test::Random random(seed);
  for (int round = 0; round < 2000; ++round) {
    const Layout complex = tenure_test::random_layout(random, 7, 2);
    const Layout real = reinterpret_layout(complex, tenure::complex128, tenure::f64);
    REQUIRE(real.rank() == complex.rank() + 1);
    REQUIRE(real.extent(0) == 2);
    tenure_test::for_each_index(tenure_test::extents_of(real), [&](Numbers index) {
      const std::int64_t element = real.element_at(index);
      const std::int64_t part = index.front();
      index.erase(index.begin());
      REQUIRE(element == 2 * complex.element_at(index) + part);
    });
    REQUIRE(reinterpret_layout(real, tenure::f64, tenure::complex128) == complex);
  }
}

TEST_CASE("reinterpret_layout: rank 0 becomes the pair of its parts and no elements stay none") {
  CHECK(reinterpret_layout(Layout(), tenure::complex64, tenure::f32) == Layout::column_major({2}));
  CHECK(reinterpret_layout(Layout::column_major({0}), tenure::complex64, tenure::f32) ==
        Layout::column_major({2, 0}));
  CHECK(reinterpret_layout(Layout::column_major({2, 0}), tenure::f32, tenure::complex64) ==
        Layout::column_major({0}));
}

TEST_CASE("reinterpret_layout: real parts that are not pairs are refused") {
  const auto as_complex = [](const Layout& layout) {
    return refused<tenure::InvalidArgument>(
        [&] { return reinterpret_layout(layout, tenure::f64, tenure::complex128); });
  };
  CHECK(as_complex(Layout()));
  CHECK(as_complex(Layout::column_major({3, 2})));
  CHECK(as_complex(Layout::strided({2, 2}, {-1, 2}, 1)));
  CHECK(as_complex(Layout::strided({2, 2}, {1, 3})));
  CHECK(as_complex(Layout::strided({2, 2}, {1, 2}, 1)));
  CHECK_FALSE(as_complex(Layout::strided({2, 1, 2}, {1, 3, -4}, 6)));
}

TEST_CASE("reinterpret_layout: parts whose strides do not fit are refused under this operation's name") {
  const Layout layout = Layout::strided({2}, {std::int64_t{1} << 62});
  CHECK(refused<tenure::IntegerOverflow>([&] { return layout.as_real(); }));
  const Layout far = Layout::strided({3}, {std::int64_t{1} << 61}, 1);
  try {
    static_cast<void>(far.as_real());
    FAIL("not refused");
  } catch (const tenure::ValidationError& error) {
    CHECK(error.operation() == "as_real");
  }
}

namespace {

// The first byte of every element, the first axis fastest.
Numbers bytes_of(const Layout& layout, std::int64_t element_bytes) {
  Numbers bytes;
  tenure_test::for_each_index(tenure_test::extents_of(layout), [&](const Numbers& index) {
    bytes.push_back(layout.element_at(index) * element_bytes);
  });
  return bytes;
}

// Of strides that are multiples of `grain`, but for `axis`, which has stride 1 and such an extent.
Layout random_grained(tenure_test::Random& random, std::int64_t axis, std::int64_t rank, std::int64_t grain) {
  Numbers extents = tenure_test::random_numbers(random, rank, 0, 3);
  Numbers strides = tenure_test::random_numbers(random, rank, -6, 6);
  for (std::int64_t& stride : strides) stride *= grain;
  extents[static_cast<std::size_t>(axis)] *= grain;
  strides[static_cast<std::size_t>(axis)] = 1;
  return Layout::strided(extents, strides, grain * tenure_test::uniform(random, -5, 5));
}

}  // namespace

TEST_CASE("bit_cast_layout: smaller elements cover the bytes of the larger ones, in order, and join again") {
  constexpr std::uint64_t seed = 20261201;
  MESSAGE("seed " << seed);
  tenure_test::Random random(seed);
  for (int round = 0; round < 2000; ++round) {
    const std::int64_t rank = tenure_test::uniform(random, 1, 4);
    const std::int64_t axis = tenure_test::uniform(random, 0, rank - 1);
    const Layout small = random_grained(random, axis, rank, 4);
    const Layout large = bit_cast_layout(small, tenure::u16, tenure::f64, axis);
    REQUIRE(bit_cast_layout(large, tenure::f64, tenure::u16, axis - rank) == small);
    if (small.is_empty()) continue;
    REQUIRE(large.element_count() * 4 == small.element_count());
    // Each large element is the four small ones along the axis.
    Numbers joined;
    tenure_test::for_each_index(tenure_test::extents_of(small), [&](const Numbers& index) {
      if (index[static_cast<std::size_t>(axis)] % 4 == 0) joined.push_back(small.element_at(index) * 2);
    });
    REQUIRE(bytes_of(large, 8) == joined);
  }
}

TEST_CASE("bit_cast_layout: elements that do not lie side by side along the axis are refused") {
  const Layout rows = Layout::strided({2, 4}, {4, 1});
  CHECK(bit_cast_layout(rows, tenure::f32, tenure::u64, 1) == Layout::strided({2, 2}, {2, 1}));
  CHECK(refused<tenure::InvalidArgument>([&] { return bit_cast_layout(rows, tenure::f32, tenure::u64, 0); }));
  CHECK(refused<tenure::InvalidArgument>([&] { return bit_cast_layout(rows, tenure::f64, tenure::u8, 0); }));
  CHECK(refused<tenure::AxisOutOfBounds>([&] { return bit_cast_layout(rows, tenure::f64, tenure::u8, 2); }));
  CHECK(refused<tenure::AxisOutOfBounds>([] { return bit_cast_layout(Layout(), tenure::f64, tenure::u8); }));
}

TEST_CASE("bit_cast_layout: extents, strides and offsets that are no multiples are refused") {
  const auto joined = [](const Layout& layout) {
    return refused<tenure::InvalidArgument>(
        [&] { return bit_cast_layout(layout, tenure::f32, tenure::i64); });
  };
  CHECK(joined(Layout::column_major({3, 2})));
  CHECK(joined(Layout::strided({2, 2}, {1, 3})));
  CHECK(joined(Layout::strided({2, 2}, {1, 2}, 1)));
  CHECK_FALSE(joined(Layout::strided({2, 1, 2}, {1, 3, -4}, 4)));
  CHECK_FALSE(joined(Layout::column_major({0, 3})));
  CHECK(refused<tenure::IntegerOverflow>([] {
    return bit_cast_layout(Layout::strided({1, 2}, {1, std::int64_t{1} << 61}), tenure::f64, tenure::u8);
  }));
}

TEST_CASE("split_elements and join_elements: parts are 1 or more, and one part changes nothing") {
  const Layout layout = Layout::column_major({4, 2});
  CHECK(layout.split_elements(0, 1) == layout);
  CHECK(layout.join_elements(0, 1) == layout);
  CHECK(refused<tenure::InvalidArgument>([&] { return layout.split_elements(0, 0); }));
  CHECK(refused<tenure::InvalidArgument>([&] { return layout.join_elements(0, -2); }));
}

TEST_CASE(
    "reinterpret_layout: dtypes of equal size keep the layout, others change the first axis, bool is "
    "refused") {
  const Layout layout = Layout::strided({2, 3}, {-3, 1}, 3);
  CHECK(reinterpret_layout(layout, tenure::f64, tenure::i64) == layout);
  CHECK(reinterpret_layout(layout, tenure::f16, tenure::bf16) == layout);
  CHECK(reinterpret_layout(layout, tenure::boolean, tenure::u8) == layout);
  CHECK(reinterpret_layout(layout, tenure::boolean, tenure::boolean) == layout);
  const auto unsupported = [&](tenure::DType from, tenure::DType to) {
    return refused<tenure::UnsupportedReinterpretation>([&] { return reinterpret_layout(layout, from, to); });
  };
  CHECK(unsupported(tenure::u8, tenure::boolean));
  CHECK(unsupported(tenure::f64, tenure::boolean));
  const Layout compact = Layout::column_major({2, 3});
  CHECK(reinterpret_layout(compact, tenure::f64, tenure::f32) == Layout::column_major({4, 3}));
  CHECK(reinterpret_layout(compact, tenure::complex128, tenure::f32) == Layout::column_major({8, 3}));
  CHECK(reinterpret_layout(compact, tenure::complex128, tenure::f64) == Layout::column_major({2, 2, 3}));
}
