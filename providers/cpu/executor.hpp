// SPDX-License-Identifier: Apache-2.0
// executor: what an operation runs with, and how its work is divided.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernel_set.hpp"
#include "parallel_for.hpp"
#include "tenure/provider_engine.h"

namespace tenure::cpu {

struct Executor {
  const KernelSet& kernels;
  ParallelFor* parallel;  // null: everything on the calling thread
  std::uint64_t streaming_bytes_min;
  std::uint32_t batch_policy = TENURE_BATCH_AUTO;  // of the operation

  // Whether a result of so many bytes, which nobody reads on the way, is to be stored past the caches.
  bool streams(std::int64_t bytes) const noexcept {
    return static_cast<std::uint64_t>(bytes) >= streaming_bytes_min;
  }
};

// Measured on two cores: below this many elements of a memory-bound operation, entering the threads costs
// more than it saves. Costlier operations count each element several times.
inline constexpr std::int64_t parallel_cost_min = std::int64_t{64} << 10;
inline constexpr std::int64_t task_cost_min = std::int64_t{16} << 10;

// Consecutive units of work, as many in each task but the last.
struct Division {
  std::int64_t units;
  std::int64_t units_per_task;

  std::int64_t task_count() const noexcept { return (units + units_per_task - 1) / units_per_task; }
  // Or none. Small work asks only this, which takes no division.
  bool is_one_task() const noexcept { return units <= units_per_task; }
  std::int64_t begin(std::int64_t task) const noexcept { return task * units_per_task; }
  std::int64_t end(std::int64_t task) const noexcept { return std::min(units, begin(task) + units_per_task); }
};

// So many tasks for each thread even out what one of them is held up by.
inline constexpr std::int64_t tasks_per_thread = 4;

// A few tasks for each thread of a parallel executor, none of less than `units_min` units. Tasks begin at
// multiples of `granule` units.
inline Division spread(const Executor& executor, std::int64_t units, std::int64_t units_min,
                       std::int64_t granule) noexcept {
  const std::int64_t tasks = executor.parallel->width() * tasks_per_thread;
  const std::int64_t wanted = std::max(units / tasks, units_min);
  return {units, std::max(granule, (wanted + granule - 1) / granule * granule)};
}

// The same, but one task where the work is small or the executor serial. `unit_cost` is at least 1.
inline Division divide_work(const Executor& executor, std::int64_t units, std::int64_t unit_cost,
                            std::int64_t granule = 1) noexcept {
  if (executor.parallel == nullptr || units <= granule || units < parallel_cost_min / unit_cost) {
    return {units, std::max<std::int64_t>(units, 1)};
  }
  return spread(executor, units, task_cost_min / unit_cost, granule);
}

// Calls body(begin, end) for each task.
template <class Body>
void for_each_task(const Executor& executor, const Division& division, const Body& body) {
  if (division.is_one_task()) {
    body(std::int64_t{0}, division.units);
  } else {
    (*executor.parallel)(division.task_count(),
                         [&](std::int64_t task) { body(division.begin(task), division.end(task)); });
  }
}

}  // namespace tenure::cpu
