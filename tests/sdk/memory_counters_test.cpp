// SPDX-License-Identifier: Apache-2.0
#include "tenure/sdk/memory_counters.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <thread>
#include <vector>

TEST_CASE("MemoryCounters: live falls with a release and the peak does not") {
  tenure::sdk::MemoryCounters counters;
  counters.add_created(100);
  counters.add_created(50);
  counters.add_released(100);
  counters.add_created(20);
  counters.add_failed();

  const auto statistics = counters.snapshot();
  CHECK(statistics.live_count == 2);
  CHECK(statistics.live_bytes == 70);
  CHECK(statistics.reserved_bytes == 70);
  CHECK(statistics.peak_bytes == 150);
  CHECK(statistics.create_calls == 3);
  CHECK(statistics.release_calls == 1);
  CHECK(statistics.failed_calls == 1);
}

TEST_CASE("MemoryCounters: concurrent calls balance and no snapshot has a negative count") {
  tenure::sdk::MemoryCounters counters;
  std::atomic<bool> is_over{false};
  std::thread reader([&] {
    while (!is_over.load()) CHECK(counters.snapshot().live_count <= 80'000);
  });
  std::vector<std::thread> writers;
  for (int i = 0; i < 4; ++i) {
    writers.emplace_back([&] {
      for (int round = 0; round < 20'000; ++round) {
        counters.add_created(8);
        counters.add_released(8);
      }
    });
  }
  for (auto& writer : writers) writer.join();
  is_over = true;
  reader.join();

  const auto statistics = counters.snapshot();
  CHECK(statistics.live_count == 0);
  CHECK(statistics.live_bytes == 0);
  CHECK(statistics.create_calls == 80'000);
  CHECK(statistics.peak_bytes >= 8);
  CHECK(statistics.peak_bytes <= 32);
}
