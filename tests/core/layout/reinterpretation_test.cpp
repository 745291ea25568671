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
    CHECK(error.operation() == "Layout::as_real");
  }
}

TEST_CASE("reinterpret_layout: dtypes of equal size keep the layout, bool and other sizes are refused") {
  const Layout layout = Layout::strided({2, 3}, {-3, 1}, 3);
  CHECK(reinterpret_layout(layout, tenure::f64, tenure::i64) == layout);
  CHECK(reinterpret_layout(layout, tenure::f16, tenure::bf16) == layout);
  CHECK(reinterpret_layout(layout, tenure::boolean, tenure::u8) == layout);
  CHECK(reinterpret_layout(layout, tenure::boolean, tenure::boolean) == layout);
  const auto unsupported = [&](tenure::DType from, tenure::DType to) {
    return refused<tenure::UnsupportedReinterpretation>([&] { return reinterpret_layout(layout, from, to); });
  };
  CHECK(unsupported(tenure::u8, tenure::boolean));
  CHECK(unsupported(tenure::f64, tenure::f32));
  CHECK(unsupported(tenure::complex128, tenure::f32));
}
