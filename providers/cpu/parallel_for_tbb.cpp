// SPDX-License-Identifier: Apache-2.0
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <cstddef>
#include <latch>
#include <memory>
#include <mutex>
#include <new>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "parallel_for.hpp"

namespace tenure::cpu {

struct ParallelFor::Backend {
  // The library has no more threads than this, and would say so on the error stream.
  explicit Backend(int width) : arena(std::min(width, tbb::info::default_concurrency())) {}

  // The library's threads start one another, and one that cannot ends the process: so it is tried before.
  void try_threads() {
    std::vector<std::jthread> threads;
    std::latch end(1);
    try {
      for (int i = 1; i < arena.max_concurrency(); ++i) threads.emplace_back([&end] { end.wait(); });
    } catch (...) {
      end.count_down();
      throw;
    }
    end.count_down();
  }

  tbb::task_arena arena;  // takes part in nothing until it is first entered
  std::once_flag tried;
};

ParallelFor::ParallelFor(int width) : width_(width), backend_(std::make_unique<Backend>(width)) {}
ParallelFor::~ParallelFor() = default;

void ParallelFor::run(std::int64_t count, Call call, const void* context) {
  using Range = tbb::blocked_range<std::int64_t>;
  std::call_once(backend_->tried, &Backend::try_threads, backend_.get());
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

// The uses of the library in this process and its one handle: finalising one waits for nobody else's. The
// handle is made by the first use and ended by the last, so that a process that exits in between leaves the
// library alone.
struct Library {
  std::mutex mutex;
  int uses = 0;
  alignas(tbb::task_scheduler_handle) std::byte place[sizeof(tbb::task_scheduler_handle)]{};

  tbb::task_scheduler_handle& handle() noexcept {
    return *std::launder(reinterpret_cast<tbb::task_scheduler_handle*>(place));
  }
};
static_assert(std::is_trivially_destructible_v<Library>);
constinit Library library;

}  // namespace

ParallelLibrary::ParallelLibrary() {
  const std::lock_guard lock(library.mutex);
  if (library.uses == 0) ::new (library.place) tbb::task_scheduler_handle(tbb::attach{});
  ++library.uses;
}

ParallelLibrary::~ParallelLibrary() {
  tbb::task_scheduler_handle last;
  {
    const std::lock_guard lock(library.mutex);
    if (--library.uses != 0) return;
    last = std::move(library.handle());
    std::destroy_at(&library.handle());
  }
  // Refused where the host itself uses the library; its threads are the host's matter then.
  static_cast<void>(tbb::finalize(last, std::nothrow));
}

}  // namespace tenure::cpu
