// SPDX-License-Identifier: Apache-2.0
#include "tenure/sdk/pool/retention_budget.hpp"

#include <doctest/doctest.h>

#include <limits>

using tenure::sdk::pool::RetentionBudget;

TEST_CASE("RetentionBudget: bytes are taken up to the limit and no further") {
  RetentionBudget budget(100);
  CHECK(budget.try_take(60));
  CHECK_FALSE(budget.try_take(41));
  CHECK(budget.try_take(40));
  CHECK_FALSE(budget.try_take(1));
  CHECK(budget.try_take(0));
}

TEST_CASE("RetentionBudget: what was given back can be taken again") {
  RetentionBudget budget(100);
  REQUIRE(budget.try_take(100));
  budget.give(30);
  CHECK_FALSE(budget.try_take(31));
  CHECK(budget.try_take(30));
}

TEST_CASE("RetentionBudget: the largest limit does not wrap") {
  constexpr auto most = std::numeric_limits<std::uint64_t>::max();
  RetentionBudget budget(most);
  REQUIRE(budget.try_take(most - 1));
  CHECK_FALSE(budget.try_take(2));
  CHECK_FALSE(budget.try_take(most));
}
