// SPDX-License-Identifier: Apache-2.0
#include "loader/live_counts.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <thread>
#include <vector>

using namespace tenure;

TEST_CASE("LiveCounts: kinds are counted apart, with their bytes") {
  LiveCounts counts;
  counts.add(0, LiveKind::storage, 100);
  counts.add(1, LiveKind::storage, 28);
  counts.add(2, LiveKind::engine, 0);
  const auto sum = counts.sum();
  CHECK(sum.counts == std::array<std::int64_t, live_kind_count>{2, 0, 1, 0});
  CHECK(sum.bytes == std::array<std::int64_t, live_kind_count>{128, 0, 0, 0});
  CHECK_FALSE(sum.is_zero());
}

TEST_CASE("LiveCounts: what one thread adds another subtracts, whatever their indices") {
  LiveCounts counts;
  for (const std::uint32_t index : {0u, 1u, 62u, 63u, 64u, 5000u}) {
    counts.add(index, LiveKind::storage, 8);
    CHECK_FALSE(counts.sum().is_zero());
    counts.subtract(5000 - index, LiveKind::storage, 8);
    CHECK(counts.sum().is_zero());
    CHECK(counts.sum().bytes[0] == 0);
  }
}

TEST_CASE("LiveCounts: a size that no machine has is counted and taken back") {
  LiveCounts counts;
  for (const std::uint32_t index : {0u, 5000u}) {
    for (int i = 0; i < 3; ++i) counts.add(index, LiveKind::storage, std::uint64_t{1} << 63);
    for (int i = 0; i < 3; ++i) counts.subtract(index, LiveKind::storage, std::uint64_t{1} << 63);
  }
  CHECK(counts.sum().is_zero());
  CHECK(counts.sum().bytes[0] == 0);
}

TEST_CASE("LiveCounts: threads with indices beyond the shards lose nothing") {
  LiveCounts counts;
  std::vector<std::jthread> threads;
  for (std::uint32_t index = 60; index < 68; ++index) {
    threads.emplace_back([&counts, index] {
      for (int i = 0; i < 2000; ++i) counts.add(index, LiveKind::pool, 1);
    });
  }
  threads.clear();
  CHECK(counts.sum().counts[1] == 8 * 2000);
  CHECK(counts.sum().bytes[1] == 8 * 2000);
}

TEST_CASE("heavy_fence: of a counting and a stopping thread at least one sees the other") {
  for (int round = 0; round < 2000; ++round) {
    LiveCounts counts;
    std::atomic<bool> stopped{false};
    std::atomic<int> ready{0};
    bool counting_saw_stop = false;
    std::jthread counting([&] {
      ++ready;
      while (ready != 2) {
      }
      counts.add(1, LiveKind::storage, 1);
      counting_saw_stop = stopped.load();
    });
    ++ready;
    while (ready != 2) {
    }
    stopped.store(true);
    abi::heavy_fence();
    const bool stopping_saw_count = !counts.sum().is_zero();
    counting.join();
    REQUIRE((counting_saw_stop || stopping_saw_count));
  }
}
