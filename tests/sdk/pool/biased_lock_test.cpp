// SPDX-License-Identifier: Apache-2.0
// Also under ThreadSanitizer, which sees an access that the lock does not order.
#include "tenure/sdk/pool/biased_lock.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

using tenure::sdk::pool::BiasedLock;

TEST_CASE("BiasedLock: the owner and the others exclude each other") {
  BiasedLock lock;
  std::uint64_t count = 0;
  constexpr std::uint64_t owner_rounds = 20'000, other_rounds = 300;
  {
    std::vector<std::jthread> threads;
    threads.emplace_back([&] {
      for (std::uint64_t i = 0; i < owner_rounds; ++i) {
        const BiasedLock::Owner owner(lock);
        ++count;
      }
    });
    for (int other = 0; other < 2; ++other) {
      threads.emplace_back([&] {
        for (std::uint64_t i = 0; i < other_rounds; ++i) {
          const std::lock_guard guard(lock);
          ++count;
        }
      });
    }
  }
  CHECK(count == owner_rounds + 2 * other_rounds);
}

TEST_CASE(
    "BiasedLock: another thread gets it only when the owner is done, and the owner only after that thread") {
  BiasedLock lock;
  std::atomic<bool> is_waiting{false}, is_done{false};
  int value = 0;
  std::jthread other;
  {
    const BiasedLock::Owner owner(lock);
    other = std::jthread([&] {
      is_waiting = true;
      const std::lock_guard guard(lock);
      CHECK(value == 1);
      value = 2;
      is_done = true;
    });
    while (!is_waiting) std::this_thread::yield();
    for (int turn = 0; turn < 100; ++turn) std::this_thread::yield();
    CHECK_FALSE(is_done);
    value = 1;
  }
  while (!is_done) std::this_thread::yield();
  const BiasedLock::Owner owner(lock);
  CHECK(value == 2);
}

TEST_CASE("BiasedLock: one thread after another may own it") {
  BiasedLock lock;
  int count = 0;
  for (int thread = 0; thread < 4; ++thread) {
    std::jthread([&] {
      const BiasedLock::Owner owner(lock);
      ++count;
    }).join();
  }
  const std::lock_guard guard(lock);
  CHECK(count == 4);
}
