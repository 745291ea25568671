// SPDX-License-Identifier: Apache-2.0
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <mutex>
#include <new>
#include <type_traits>
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
