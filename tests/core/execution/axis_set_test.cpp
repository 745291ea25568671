// SPDX-License-Identifier: Apache-2.0
#include "tenure/execution/axis_set.hpp"

#include <doctest/doctest.h>

#include "tenure/base/validation_error.hpp"

using tenure::AxisSet;
using tenure::ValidationError;

TEST_CASE("AxisSet: the default is all axes, at every rank up to the highest") {
  CHECK(AxisSet().mask("test", 0) == 0);
  CHECK(AxisSet().mask("test", 3) == 0b111);
  CHECK(AxisSet().mask("test", 64) == ~std::uint64_t{0});
  CHECK(AxisSet::none().mask("test", 3) == 0);
}

TEST_CASE("AxisSet: negative axes count from the end") { CHECK(AxisSet{0, -1}.mask("test", 4) == 0b1001); }

TEST_CASE("AxisSet: an axis that does not exist and one that is listed twice are typed errors") {
  for (const std::int64_t axis : {3, -4, 100}) {
    CAPTURE(axis);
    try {
      (void)AxisSet{axis}.mask("test", 3);
      FAIL("should have thrown");
    } catch (const ValidationError& error) {
      const auto* detail = error.get_if<tenure::AxisOutOfBounds>();
      REQUIRE(detail != nullptr);
      CHECK(detail->axis == axis);
      CHECK(detail->rank == 3);
    }
  }
  try {
    (void)AxisSet{1, -2}.mask("test", 3);
    FAIL("should have thrown");
  } catch (const ValidationError& error) {
    CHECK(error.get_if<tenure::DuplicateAxis>() != nullptr);
  }
}
