// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "random_layout.hpp"
#include "tenure/base/validation_error.hpp"

using tenure::Layout;
using tenure_test::Numbers;

namespace {

// The axes from the slowest to the fastest.
Numbers order_of(std::size_t rank) { return rank == 4 ? Numbers{0, 2, 3, 1} : Numbers{0, 2, 3, 4, 1}; }

// By walking the elements in the order that the format has.
bool lies_channels_last(const Layout& layout) {
  if (layout.rank() != 4 && layout.rank() != 5) return false;
  const Numbers order = order_of(static_cast<std::size_t>(layout.rank()));
  Numbers fastest_first;
  for (auto axis = order.rbegin(); axis != order.rend(); ++axis)
    fastest_first.push_back(layout.extent(*axis));
  std::int64_t next = layout.offset();
  bool holds = true;
  tenure_test::for_each_index(fastest_first, [&](const Numbers& walked) {
    Numbers index(walked.size());
    for (std::size_t i = 0; i < walked.size(); ++i) {
      index[static_cast<std::size_t>(order[order.size() - 1 - i])] = walked[i];
    }
    holds = holds && layout.element_at(index) == next++;
  });
  return holds;
}

}  // namespace

TEST_CASE("channels last: the channels are the fastest axis, at rank 4 and 5") {
  const Layout image = Layout::channels_last({2, 3, 4, 5});
  CHECK(image == Layout::strided({2, 3, 4, 5}, {60, 1, 15, 3}));
  CHECK(image.is_channels_last());
  CHECK_FALSE(image.is_row_major());
  CHECK(image.injectivity() == tenure::Injectivity::yes);
  const Layout volume = Layout::channels_last({2, 3, 4, 5, 6});
  CHECK(volume == Layout::strided({2, 3, 4, 5, 6}, {360, 1, 90, 18, 3}));
  CHECK(volume.is_channels_last());
}

TEST_CASE("channels last: no other rank has it, even where strides coincide") {
  CHECK_FALSE(Layout::strided({3, 4, 5}, {1, 15, 3}).is_channels_last());
  CHECK_FALSE(Layout::strided({1, 2, 3, 4, 1, 1}, {24, 1, 8, 2, 1, 1}).is_channels_last());
  for (const Numbers& extents : {Numbers{}, {3}, {2, 3}, {2, 3, 4}, {1, 2, 3, 4, 1, 1}}) {
    CHECK_FALSE(Layout::row_major(extents).is_channels_last());
    try {
      static_cast<void>(Layout::channels_last(extents));
      FAIL("nothing was thrown");
    } catch (const tenure::ValidationError& error) {
      CHECK(error.get_if<tenure::InvalidArgument>() != nullptr);
    }
  }
}

TEST_CASE("channels last: the flag agrees with a walk over every small layout, whatever made it") {
  int agreed = 0;
  for (const std::size_t rank : {4u, 5u}) {
    tenure_test::for_each_index(Numbers(rank, 3), [&](const Numbers& extents) {
      for (const Layout& layout :
           {Layout::row_major(extents), Layout::column_major(extents), Layout::channels_last(extents)}) {
        CHECK(layout.is_channels_last() == lies_channels_last(layout));
        const Layout swapped = layout.permute(rank == 4 ? Numbers{0, 2, 1, 3} : Numbers{0, 2, 1, 3, 4});
        CHECK(swapped.is_channels_last() == lies_channels_last(swapped));
        ++agreed;
      }
    });
  }
  CHECK(agreed == 3 * (81 + 243));
  tenure_test::Random random(9);
  for (int round = 0; round < 2000; ++round) {
    const Layout layout = tenure_test::random_layout(random, 6, 3);
    if (layout.is_empty()) continue;
    CHECK(layout.is_channels_last() == lies_channels_last(layout));
  }
}

TEST_CASE("channels last: holds at any offset, for one channel, and without elements") {
  CHECK(Layout::channels_last({3, 2, 2, 2}).slice(0, {1, 3}).is_channels_last());
  CHECK_FALSE(Layout::channels_last({2, 4, 2, 2}).slice(1, {0, 2}).is_channels_last());
  const Layout one = Layout::row_major({2, 1, 3, 3});
  CHECK(one.is_channels_last());
  CHECK(one.is_row_major());
  CHECK(Layout::channels_last({2, 0, 3, 3}).is_channels_last());
  CHECK_FALSE(Layout::row_major({0, 3}).is_channels_last());
}
