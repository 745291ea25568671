// SPDX-License-Identifier: Apache-2.0
#include "loader/thread_index.hpp"

#include <doctest/doctest.h>

#include <barrier>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "fixtures.hpp"
#include "tenure/loader/registry.hpp"

namespace {

using namespace tenure;
using namespace tenure_test;

std::uint32_t index_of_a_new_thread() {
  std::uint32_t index = 0;
  std::jthread([&] { index = thread_index(); }).join();
  return index;
}

}  // namespace

TEST_CASE("thread_index: the same number each time, another for each living thread, reused afterwards") {
  CHECK(thread_index() == thread_index());
  constexpr int thread_count = 16;
  std::set<std::uint32_t> seen{thread_index()};
  std::mutex mutex;
  std::barrier all_have_one(thread_count);
  std::vector<std::jthread> threads;
  for (int t = 0; t < thread_count; ++t) {
    threads.emplace_back([&] {
      const std::uint32_t index = thread_index();
      all_have_one.arrive_and_wait();
      const std::lock_guard lock(mutex);
      seen.insert(index);
    });
  }
  threads.clear();
  CHECK(seen.size() == thread_count + 1);
  CHECK(*seen.rbegin() == thread_count);

  const std::uint32_t first = index_of_a_new_thread();
  CHECK(index_of_a_new_thread() == first);
  CHECK(first <= thread_count);
}

TEST_CASE("thread_index: when a thread ends the pools of open instances are told its number") {
  Registry registry;
  const Provider provider = registry.load(fixture("good"), {.policy = PathPolicy::off, .alias = {}});
  const auto& counts = counts_of(fixture("good"));
  {
    const Instance first = provider.open();
    const Instance second = provider.open();
    const std::uint64_t before = counts.thread_exits;
    const std::uint32_t index = index_of_a_new_thread();
    CHECK(counts.thread_exits == before + 2);
    CHECK(counts.last_ended_thread == index);
    std::jthread([] {}).join();  // never asked for a number
    CHECK(counts.thread_exits == before + 2);
  }
  const std::uint64_t before = counts.thread_exits;
  index_of_a_new_thread();
  CHECK(counts.thread_exits == before);
}

TEST_CASE("thread_index: a number asked for while thread-local objects are destroyed is given back, too") {
  struct AsksLate {
    ~AsksLate() { thread_index(); }
  };
  const std::uint32_t before = index_of_a_new_thread();
  std::jthread([] {
    thread_local AsksLate asks;
    static_cast<void>(asks);
    thread_index();
  }).join();
  CHECK(index_of_a_new_thread() == before);
}
