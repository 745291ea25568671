// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "loader/instance_control.hpp"
#include "memory/import_table.hpp"
#include "tenure/base/access_error.hpp"

using namespace tenure;

TEST_CASE("ImportedRange: of threads that want the same bytes one has them at a time") {
  static const DomainRecord domain = [] {
    DomainRecord record;
    record.name = "test:0/shared";
    return record;
  }();
  static std::byte bytes[64];
  std::atomic<int> holders = 0;
  std::atomic<int> refusals = 0;
  std::atomic<int> imports = 0;
  std::atomic<bool> broken = false;
  const auto work = [&](std::size_t from) {
    for (int round = 0; round < 2000; ++round) {
      try {
        const ImportedRange range("test", bytes + from, 32, domain);
        ++imports;
        if (from != 16) continue;
        if (holders.fetch_add(1) != 0) broken = true;
        holders.fetch_sub(1);
      } catch (const AccessError& error) {
        if (error.kind() == AccessError::Kind::imported) ++refusals;
      }
    }
  };
  std::vector<std::thread> threads;
  for (const std::size_t from : {0u, 16u, 32u, 16u}) threads.emplace_back(work, from);
  for (std::thread& thread : threads) thread.join();
  CHECK_FALSE(broken);
  CHECK(imports + refusals == 8000);
  CHECK(imports > 0);
  const ImportedRange all("test", bytes, 64, domain);
}
