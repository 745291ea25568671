// SPDX-License-Identifier: Apache-2.0
#include "loader/instance_control.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <barrier>
#include <cstdint>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "fixtures.hpp"
#include "loader/id_sequence.hpp"
#include "tenure/base/provider_error.hpp"
#include "tenure/loader/registry.hpp"

namespace {

using namespace tenure;
using namespace tenure_test;

Provider load() {
  Registry registry;
  return registry.load(fixture("good"), {.policy = PathPolicy::off, .alias = {}});
}

std::uint64_t closes() { return __atomic_load_n(&counts_of(fixture("good")).closes, __ATOMIC_SEQ_CST); }

}  // namespace

TEST_CASE("InstanceControl: objects made on one thread and released on others are counted to zero") {
  const Instance instance = load().open();
  InstanceControl& control = *instance.control();
  constexpr int objects = 5000;
  std::jthread([&] {
    for (int i = 0; i < objects; ++i) control.retain(LiveKind::storage, 10);
  }).join();
  CHECK(control.live().counts[0] == objects);
  CHECK(control.live().bytes[0] == objects * 10);
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < objects / 4; ++i) control.release(LiveKind::storage, 10);
    });
  }
  threads.clear();
  CHECK(control.live().is_zero());
  CHECK(control.live().bytes[0] == 0);
}

TEST_CASE("InstanceControl: dropping the handle while threads make and release objects closes exactly once") {
  const Provider provider = load();
  for (int round = 0; round < 60; ++round) {
    const std::uint64_t before = closes();
    std::optional<Instance> instance = provider.open();
    InstanceControl& control = *instance->control();
    constexpr int thread_count = 4;
    std::barrier start(thread_count + 1);
    std::vector<std::jthread> threads;
    for (int t = 0; t < thread_count; ++t) {
      threads.emplace_back([&] {
        start.arrive_and_wait();
        while (control.try_retain(LiveKind::storage, 8)) control.release(LiveKind::storage, 8);
      });
    }
    start.arrive_and_wait();
    instance.reset();
    threads.clear();
    CHECK(control.is_closed());
    CHECK(control.live().is_zero());
    CHECK(closes() == before + 1);
  }
}

TEST_CASE("InstanceControl: of threads that release the last objects of a draining instance one closes it") {
  const Provider provider = load();
  for (int round = 0; round < 60; ++round) {
    const std::uint64_t before = closes();
    std::optional<Instance> instance = provider.open();
    InstanceControl& control = *instance->control();
    constexpr int thread_count = 4;
    for (int t = 0; t < thread_count; ++t) control.retain(LiveKind::storage, 8);
    std::barrier start(thread_count + 1);
    std::vector<std::jthread> threads;
    for (int t = 0; t < thread_count; ++t) {
      threads.emplace_back([&] {
        start.arrive_and_wait();
        control.release(LiveKind::storage, 8);
      });
    }
    start.arrive_and_wait();
    instance.reset();
    threads.clear();
    CHECK(closes() == before + 1);
    CHECK(control.is_closed());
  }
}

TEST_CASE("InstanceControl: close that is refused disturbs nobody who makes objects meanwhile") {
  Instance instance = load().open();
  InstanceControl& control = *instance.control();
  control.retain(LiveKind::engine, 0);  // so that close always finds something
  std::atomic<bool> stop{false};
  std::atomic<int> refused{0};
  std::vector<std::jthread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&] {
      while (!stop) {
        if (control.try_retain(LiveKind::storage, 8)) {
          control.release(LiveKind::storage, 8);
        } else {
          ++refused;
        }
      }
    });
  }
  for (int i = 0; i < 2000; ++i) CHECK_THROWS_AS(instance.close(), ProviderError);
  stop = true;
  threads.clear();
  CHECK(refused == 0);
  control.release(LiveKind::engine, 0);
  instance.close();
  CHECK(control.is_closed());
}

TEST_CASE("InstanceControl: close and the last releases race to one close of the provider") {
  const Provider provider = load();
  for (int round = 0; round < 60; ++round) {
    const std::uint64_t before = closes();
    std::optional<Instance> instance = provider.open();
    InstanceControl& control = *instance->control();
    control.retain(LiveKind::storage, 8);
    std::jthread releaser([&] { control.release(LiveKind::storage, 8); });
    try {
      instance->close();
    } catch (const ProviderError&) {
      // The storage still lived; the handle goes below.
    }
    instance.reset();
    releaser.join();
    CHECK(closes() == before + 1);
  }
}

TEST_CASE("Provider::open: when all ids of domains are given out it says so and closes what it opened") {
  const auto path = fixture("fork_safe");
  const Provider provider = Registry().load(path, {.policy = PathPolicy::off, .alias = {}});
  const auto closes_of_it = [&] { return __atomic_load_n(&counts_of(path).closes, __ATOMIC_SEQ_CST); };
  // In a process of its own, whose sequence can be brought to its end.
  const pid_t child = ::fork();
  if (child == 0) {
    std::construct_at(&domain_ids(), UINT64_MAX);
    const std::uint64_t before = closes_of_it();
    try {
      const Instance instance = provider.open();
    } catch (const ProviderError& error) {
      const bool is_right = error.operation() == "Provider::open" &&
                            error.status_code() == TENURE_RESOURCE_EXHAUSTED && closes_of_it() == before + 1;
      ::_exit(is_right ? 0 : 2);
    }
    ::_exit(1);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}
