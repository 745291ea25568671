// SPDX-License-Identifier: Apache-2.0
#include "tensor/disjoint.hpp"

#include <doctest/doctest.h>

#include <array>
#include <vector>

#include "support/caught.hpp"
#include "tenure/base/disjoint_error.hpp"

using namespace tenure;
using tenure_test::caught;

namespace {

// Readings that are never followed: the second lies a few bytes behind the first, and only a search tells
// that the two share no element.
std::byte at[64];

ViewState sparse(std::array<std::int64_t, 3> strides, std::size_t offset_bytes) {
  return {at + offset_bytes, nullptr, Layout::strided({30, 30, 30}, {strides[0], strides[1], strides[2]}),
          f64};
}
ViewState first() { return sparse({10000019, 10000079, 10000103}, 8); }
ViewState second() { return sparse({10000121, 10000139, 10000141}, 16); }

}  // namespace

TEST_CASE(
    "require_disjoint: what the work does not suffice for is refused as undecided, with what was spent") {
  const auto error = caught<DisjointError>([&] {
    require_disjoint("copy_into", first(), second(), output_and_input(0, 0), 2);
    return 0;
  });
  CHECK(error.operation() == "copy_into");
  CHECK(error.kind() == DisjointError::Kind::undecided);
  CHECK(error.witness() == nullptr);
  CHECK(error.work() == 2);
}

TEST_CASE(
    "require_disjoint: of several the pair that is undecided is named, and the readings are as they were") {
  const std::vector<ViewState> states{{at, nullptr, Layout::column_major({1}), u8}, first(), second()};
  const auto error = caught<DisjointError>([&] {
    require_disjoint("split_mut", states, DisjointError::Role::slot, 2);
    return 0;
  });
  CHECK(error.kind() == DisjointError::Kind::undecided);
  CHECK(error.operands().first.number == 1);
  CHECK(error.operands().second.number == 2);
  CHECK(states[1].layout().injectivity() == first().layout().injectivity());
  CHECK(is_same_reading(states[2], second()));
}
