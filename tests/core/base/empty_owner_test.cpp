// SPDX-License-Identifier: Apache-2.0
#include "tenure/base/empty_owner.hpp"

#include <doctest/doctest.h>

#include <string>
#include <type_traits>

TEST_CASE("EmptyOwner: names the operation and what is left to a moved-from object") {
  const tenure::EmptyOwner error("host_data");
  CHECK(error.operation() == "host_data");
  CHECK(error.code() == tenure::ErrorCode::empty_owner);
  CHECK(
      std::string(error.what()) ==
      "host_data: wanted a live object, found one that was moved from; use the one that it was moved to, or "
      "assign to this one first");
}

static_assert(std::is_nothrow_copy_constructible_v<tenure::EmptyOwner> &&
              std::is_final_v<tenure::EmptyOwner>);
