// SPDX-License-Identifier: Apache-2.0
#include "batch_work.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tenure/sdk/error.hpp"

using namespace tenure::cpu;

namespace {

constexpr KernelSet no_kernels{};

struct Task {
  std::int64_t begin;
  std::int64_t end;
  std::thread::id thread;
};

// In the order of their units.
std::vector<Task> tasks_of(const Executor& executor, const BatchWork& work) {
  std::mutex mutex;
  std::vector<Task> tasks;
  for_each_batch_task(executor, work, [&](std::int64_t begin, std::int64_t end) {
    const std::lock_guard lock(mutex);
    tasks.push_back({begin, end, std::this_thread::get_id()});
  });
  std::ranges::sort(tasks, {}, &Task::begin);
  return tasks;
}

void check_complete(const std::vector<Task>& tasks, std::int64_t units) {
  std::int64_t next = 0;
  for (const Task& task : tasks) {
    CHECK(task.begin == next);
    CHECK(task.end > task.begin);
    next = task.end;
  }
  CHECK(next == units);
}

std::pair<std::int32_t, std::string> refusal_of(const Executor& executor, const BatchWork& work) {
  try {
    require_batch_policy(executor, work, "contract");
  } catch (const tenure::sdk::Error& error) {
    return {error.code(), error.what()};
  }
  return {TENURE_OK, ""};
}

}  // namespace

TEST_CASE("BatchWork: every policy gives out each unit once") {
  const ParallelLibrary library;
  ParallelFor parallel(3);
  for (const std::uint32_t policy :
       {TENURE_BATCH_AUTO, TENURE_BATCH_SEQUENTIAL, TENURE_BATCH_OUTER, TENURE_BATCH_INNER}) {
    for (const std::int64_t items : {2, 5, 100}) {
      for (const std::int64_t tiles : {2, 7, 64}) {
        CAPTURE(policy);
        CAPTURE(items);
        CAPTURE(tiles);
        const Executor executor{no_kernels, &parallel, 0, policy};
        check_complete(tasks_of(executor, {items, tiles, 100000}), items * tiles);
      }
    }
  }
}

TEST_CASE("BatchWork: sequential is one task on the calling thread") {
  const ParallelLibrary library;
  ParallelFor parallel(3);
  const auto tasks = tasks_of({no_kernels, &parallel, 0, TENURE_BATCH_SEQUENTIAL}, {10, 10, 1 << 20});
  REQUIRE(tasks.size() == 1);
  CHECK(tasks[0].thread == std::this_thread::get_id());
}

TEST_CASE("BatchWork: outer gives out whole items and inner parts of one item, however cheap they are") {
  const ParallelLibrary library;
  ParallelFor parallel(2);
  const auto outer = tasks_of({no_kernels, &parallel, 0, TENURE_BATCH_OUTER}, {3, 4, 1});
  CHECK(outer.size() > 1);
  for (const Task& task : outer) {
    CHECK(task.begin % 4 == 0);
    CHECK(task.end % 4 == 0);
  }
  const auto inner = tasks_of({no_kernels, &parallel, 0, TENURE_BATCH_INNER}, {3, 4, 1});
  CHECK(inner.size() > 3);
  for (const Task& task : inner) CHECK(task.begin / 4 == (task.end - 1) / 4);
}

TEST_CASE("BatchWork: inner begins no item before the one before it is complete") {
  const ParallelLibrary library;
  ParallelFor parallel(3);
  std::atomic<std::int64_t> done{0};
  std::atomic<bool> is_in_order{true};
  for_each_batch_task(Executor{no_kernels, &parallel, 0, TENURE_BATCH_INNER}, {50, 6, 1},
                      [&](std::int64_t begin, std::int64_t end) {
                        if (done < begin / 6 * 6) is_in_order = false;
                        done += end - begin;
                      });
  CHECK(is_in_order);
  CHECK(done == 300);
}

TEST_CASE("BatchWork: a forced policy without work for several threads is refused and says why") {
  const ParallelLibrary library;
  ParallelFor parallel(2);
  const auto refused = [&](ParallelFor* threads, std::uint32_t policy, const BatchWork& work,
                           const char* reason) {
    const auto [code, message] = refusal_of({no_kernels, threads, 0, policy}, work);
    CAPTURE(message);
    CHECK(code == TENURE_UNIMPLEMENTED);
    CHECK(message.find(reason) != std::string::npos);
  };
  refused(nullptr, TENURE_BATCH_OUTER, {5, 5, 1}, "parallel engine");
  refused(nullptr, TENURE_BATCH_INNER, {5, 5, 1}, "parallel engine");
  refused(&parallel, TENURE_BATCH_OUTER, {1, 5, 1}, "one item");
  refused(&parallel, TENURE_BATCH_INNER, {5, 1, 1}, "not divided");

  const auto allowed = [&](ParallelFor* threads, std::uint32_t policy, const BatchWork& work) {
    CHECK(refusal_of({no_kernels, threads, 0, policy}, work).first == TENURE_OK);
  };
  allowed(nullptr, TENURE_BATCH_AUTO, {1, 1, 1});
  allowed(nullptr, TENURE_BATCH_SEQUENTIAL, {1, 1, 1});
  allowed(&parallel, TENURE_BATCH_OUTER, {2, 1, 1});
  allowed(&parallel, TENURE_BATCH_INNER, {1, 2, 1});
  CHECK(refusal_of({no_kernels, &parallel, 0, TENURE_BATCH_INNER + 1}, {2, 2, 1}).first ==
        TENURE_INVALID_ARGUMENT);
}

TEST_CASE("BatchWork: an exception of a task comes out, and later work is unaffected") {
  const ParallelLibrary library;
  ParallelFor parallel(2);
  for (const std::uint32_t policy : {TENURE_BATCH_SEQUENTIAL, TENURE_BATCH_OUTER, TENURE_BATCH_INNER}) {
    const Executor executor{no_kernels, &parallel, 0, policy};
    CHECK_THROWS_AS(for_each_batch_task(executor, {8, 8, 1},
                                        [](std::int64_t, std::int64_t end) {
                                          if (end > 40) throw std::runtime_error("one item failed");
                                        }),
                    std::runtime_error);
    check_complete(tasks_of(executor, {8, 8, 1}), 64);
  }
}
