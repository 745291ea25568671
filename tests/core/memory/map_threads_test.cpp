// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <thread>

#include "support/fake_provider.hpp"
#include "tenure/base/access_error.hpp"
#include "tenure/memory/storage_map.hpp"

using namespace tenure;
using tenure_test::FakeProvider;

TEST_CASE("StorageMap: of threads that map one storage a writer is alone, and no one waits") {
  FakeProvider provider;
  const Storage storage = provider.domain(FakeProvider::coherent).allocate(64);
  constexpr int thread_count = 4;
  constexpr int rounds = 20000;
  std::atomic<int> readers = 0;
  std::atomic<int> writers = 0;
  std::atomic<int> maps = 0;
  std::atomic<int> conflicts = 0;
  std::atomic<bool> broken = false;
  const auto use = [&](int thread) {
    for (int round = 0; round < rounds; ++round) {
      const bool writes = (round + thread) % 3 == 0;
      try {
        const StorageMap map("test", storage.address(), storage.record(),
                             writes ? MapAccess::write : MapAccess::read);
        ++maps;
        if (writes) {
          if (++writers != 1 || readers != 0) broken = true;
          --writers;
        } else {
          ++readers;
          if (writers != 0) broken = true;
          --readers;
        }
      } catch (const AccessError&) {
        ++conflicts;
      }
    }
  };
  std::array<std::thread, thread_count> threads;
  for (int thread = 0; thread < thread_count; ++thread) {
    threads[static_cast<std::size_t>(thread)] = std::thread(use, thread);
  }
  for (std::thread& thread : threads) thread.join();
  CHECK_FALSE(broken);
  CHECK(maps + conflicts == thread_count * rounds);
  const StorageMap last("test", storage.address(), storage.record(), MapAccess::write);
  CHECK(last.address() == storage.address());
}
