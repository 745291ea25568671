// SPDX-License-Identifier: Apache-2.0
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <mutex>
#include <utility>

#include "parallel_for.hpp"

namespace tenure::cpu {

struct ParallelFor::Backend {
  // The library has no more threads than this, and would say so on the error stream.
  explicit Backend(int width) : arena(std::min(width, tbb::info::default_concurrency())) {}

  tbb::task_arena arena;  // takes part in nothing until it is first entered
};

ParallelFor::ParallelFor(int width) : width_(width), backend_(std::make_unique<Backend>(width)) {}
ParallelFor::~ParallelFor() = default;

void ParallelFor::run(std::int64_t count, Call call, const void* context) {
  using Range = tbb::blocked_range<std::int64_t>;
  backend_->arena.execute([&] {
    tbb::parallel_for(
        Range(0, count, 1),
        [&](const Range& range) {
          for (std::int64_t i = range.begin(); i < range.end(); ++i) call(context, i);
        },
        tbb::simple_partitioner());
  });
}

namespace {

// One handle for the whole process: finalising one waits for nobody else's.
std::mutex library_mutex;
int library_uses = 0;
tbb::task_scheduler_handle library_handle;

}  // namespace

ParallelLibrary::ParallelLibrary() {
  const std::lock_guard lock(library_mutex);
  if (library_uses == 0) library_handle = tbb::task_scheduler_handle(tbb::attach{});
  ++library_uses;
}

ParallelLibrary::~ParallelLibrary() {
  tbb::task_scheduler_handle last;
  {
    const std::lock_guard lock(library_mutex);
    if (--library_uses == 0) last = std::move(library_handle);
  }
  // Refused where the host itself uses the library; its threads are the host's matter then.
  if (last) static_cast<void>(tbb::finalize(last, std::nothrow));
}

}  // namespace tenure::cpu
