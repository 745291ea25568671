// SPDX-License-Identifier: Apache-2.0
#include "loader/id_sequence.hpp"

#include <doctest/doctest.h>

using tenure::IdSequence;

TEST_CASE("IdSequence: counts from 1 and gives no number twice") {
  IdSequence ids;
  CHECK(ids.next() == 1);
  CHECK(ids.next() == 2);
  CHECK(ids.next() == 3);
}

TEST_CASE("IdSequence: after the last number there is none, however often it is asked") {
  IdSequence ids(UINT64_MAX - 2);
  CHECK(ids.next() == UINT64_MAX - 1);
  CHECK(ids.next() == UINT64_MAX);
  CHECK(ids.next() == 0);
  CHECK(ids.next() == 0);
}
