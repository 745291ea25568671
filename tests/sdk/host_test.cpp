// SPDX-License-Identifier: Apache-2.0
#include "tenure/sdk/host.hpp"

#include <doctest/doctest.h>

#include <cstddef>

#include "sdk/open_provider.hpp"

namespace sdk = tenure::sdk;

TEST_CASE("Host: every function reaches the core's table") {
  tenure_test::TestHost table;
  const sdk::Host host(&table.table);

  host.log(TENURE_LOG_INFO, "hello");
  CHECK(table.lines == std::vector<std::string>{"hello"});
  void* const scratch = host.allocate(64, 64);
  CHECK(scratch != nullptr);
  host.free(scratch);
  CHECK_FALSE(host.is_exiting());
  CHECK(host.thread_index() == 7);
  host.note_copy(12);
  CHECK(table.noted_bytes == 12);
  CHECK(host.extension("x") == nullptr);
}

TEST_CASE("Host: nothing is called that an older core does not have") {
  tenure_test::TestHost table;
  table.table.head.bytes = offsetof(tenure_host, log);
  const sdk::Host host(&table.table);

  host.log(TENURE_LOG_INFO, "hello");
  CHECK(table.lines.empty());
  CHECK(host.allocate(64, 64) == nullptr);
  host.free(nullptr);
  CHECK_FALSE(host.is_exiting());
  CHECK(host.thread_index() == sdk::Host::no_thread_index);
  host.note_copy(12);
  CHECK(table.noted_bytes == 0);
  CHECK(host.extension("x") == nullptr);

  // Memory that could not be given back is not taken.
  table.table.head.bytes = offsetof(tenure_host, free);
  CHECK(host.allocate(64, 64) == nullptr);
}
