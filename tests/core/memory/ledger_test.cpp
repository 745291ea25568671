// SPDX-License-Identifier: Apache-2.0
#include "tenure/memory/ledger.hpp"

#include <doctest/doctest.h>

#include <thread>

#include "memory/thread_ledger.hpp"

using tenure::LedgerScope;
using tenure::thread_ledger;

TEST_CASE("LedgerScope: counts what this thread did since it began, and scopes nest") {
  const LedgerScope outer;
  thread_ledger.bytes_copied += 100;
  ++thread_ledger.copies;
  {
    const LedgerScope inner;
    CHECK(inner.bytes_copied() == 0);
    thread_ledger.bytes_copied += 20;
    ++thread_ledger.copies;
    ++thread_ledger.mappings;
    ++thread_ledger.waits;
    ++thread_ledger.owners_created;
    CHECK(inner.bytes_copied() == 20);
    CHECK(inner.copies() == 1);
    CHECK(inner.mappings() == 1);
    CHECK(inner.waits() == 1);
    CHECK(inner.owners_created() == 1);
  }
  CHECK(outer.bytes_copied() == 120);
  CHECK(outer.copies() == 2);
  CHECK(outer.bytes_staged() == 0);
}

TEST_CASE("LedgerScope: what another thread does is not counted") {
  const LedgerScope scope;
  std::thread other([] {
    const LedgerScope others;
    thread_ledger.bytes_copied += 7;
    CHECK(others.bytes_copied() == 7);
  });
  other.join();
  CHECK(scope.bytes_copied() == 0);
}
