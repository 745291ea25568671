// SPDX-License-Identifier: Apache-2.0
#include "tenure/base/disjoint_error.hpp"

#include <doctest/doctest.h>

#include <string>
#include <type_traits>

using tenure::DisjointError;
using tenure::ElementIndex;

TEST_CASE("DisjointError: a proven overlap carries the two elements that share a byte") {
  const DisjointError error("copy_into", {{1, 2}, {3}}, 40);
  CHECK(error.kind() == DisjointError::Kind::overlap);
  REQUIRE(error.witness() != nullptr);
  CHECK(error.witness()->second == ElementIndex{3});
  CHECK(error.work() == 40);
  CHECK(std::string(error.what()).find("element [1, 2] of operand 0 and element [3] of operand 1") !=
        std::string::npos);
  CHECK(error.operands().second == 1);
  const DisjointError copy = error;
  CHECK(copy.witness() == error.witness());
}

TEST_CASE("DisjointError: an undecided search says how far it went") {
  const DisjointError error("copy_into", 1000);
  CHECK(error.kind() == DisjointError::Kind::undecided);
  CHECK(error.witness() == nullptr);
  CHECK(error.work() == 1000);
  CHECK(std::string(error.what()).find("1000 steps") != std::string::npos);
  const DisjointError of_many("split_mut", 1000, {3, 7});
  CHECK(of_many.operands().first == 3);
  CHECK(of_many.operands().second == 7);
  CHECK(std::string(of_many.what()).find("operands 3 and 7") != std::string::npos);
  CHECK(error.code() == tenure::ErrorCode::disjoint);
}

static_assert(std::is_nothrow_copy_constructible_v<DisjointError> && std::is_final_v<DisjointError>);
