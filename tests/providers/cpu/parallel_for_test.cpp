// SPDX-License-Identifier: Apache-2.0
#include "parallel_for.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

using tenure::cpu::ParallelFor;
using tenure::cpu::ParallelLibrary;

TEST_CASE("ParallelFor: each task is called once") {
  const ParallelLibrary library;
  for (const int width : {1, 2, 5}) {
    ParallelFor parallel_for(width);
    CHECK(parallel_for.width() == width);
    for (const std::int64_t count : {0, 1, 2, 1000}) {
      std::vector<std::atomic<int>> calls(static_cast<std::size_t>(count));
      parallel_for(count, [&](std::int64_t i) { ++calls[static_cast<std::size_t>(i)]; });
      for (const auto& call : calls) CHECK(call == 1);
    }
  }
}

TEST_CASE("ParallelFor: an exception comes out and later runs are unaffected") {
  const ParallelLibrary library;
  ParallelFor parallel_for(3);
  for (int round = 0; round < 20; ++round) {
    CHECK_THROWS_AS(parallel_for(100,
                                 [](std::int64_t i) {
                                   if (i % 7 == 3) throw std::runtime_error("one task failed");
                                 }),
                    std::runtime_error);
    std::atomic<int> calls{0};
    parallel_for(100, [&](std::int64_t) { ++calls; });
    CHECK(calls == 100);
  }
}

TEST_CASE("ParallelFor: several threads may run at once") {
  const ParallelLibrary library;
  ParallelFor parallel_for(2);
  std::atomic<int> calls{0};
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        for (int round = 0; round < 20; ++round) parallel_for(10, [&](std::int64_t) { ++calls; });
      });
    }
  }
  CHECK(calls == 4 * 20 * 10);
}

TEST_CASE("ParallelLibrary: may end and begin again, also nested") {
  for (int round = 0; round < 5; ++round) {
    const ParallelLibrary outer;
    {
      const ParallelLibrary inner;
      ParallelFor parallel_for(2);
      parallel_for(50, [](std::int64_t) {});
    }
    ParallelFor parallel_for(2);
    std::atomic<int> calls{0};
    parallel_for(50, [&](std::int64_t) { ++calls; });
    CHECK(calls == 50);
  }
}
