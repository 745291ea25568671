// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <exception>
#include <latch>
#include <mutex>
#include <thread>
#include <vector>

#include "parallel_for.hpp"

namespace tenure::cpu {

// Threads that no run uses now.
struct ParallelFor::Backend {
  explicit Backend(int width) : idle(width - 1) {}

  int take(int wanted) noexcept {
    int found = idle.load();
    while (!idle.compare_exchange_weak(found, found - std::min(wanted, found))) {
    }
    return std::min(wanted, found);
  }

  std::atomic<int> idle;
};

ParallelFor::ParallelFor(int width) : width_(width), backend_(std::make_unique<Backend>(width)) {}
ParallelFor::~ParallelFor() = default;

// Threads of its own for each run: slow, and nothing that a thread checker could misunderstand.
void ParallelFor::run(std::int64_t count, Call call, const void* context) {
  std::atomic<std::int64_t> next{0};
  std::mutex mutex;
  std::exception_ptr failure;
  const auto work = [&] {
    try {
      for (std::int64_t i = next.fetch_add(1); i < count; i = next.fetch_add(1)) call(context, i);
    } catch (...) {
      next.store(count);
      const std::lock_guard lock(mutex);
      if (failure == nullptr) failure = std::current_exception();
    }
  };
  const int taken = backend_->take(static_cast<int>(std::min<std::int64_t>(width_, count)) - 1);
  {
    std::vector<std::jthread> others;
    std::latch start(1);
    try {
      for (int i = 0; i < taken; ++i) {
        others.emplace_back([&] {
          start.wait();
          work();
        });
      }
    } catch (...) {
      next.store(count);
      failure = std::current_exception();
    }
    start.count_down();
    work();
  }
  backend_->idle.fetch_add(taken);
  if (failure != nullptr) std::rethrow_exception(failure);
}

ParallelLibrary::ParallelLibrary() = default;
ParallelLibrary::~ParallelLibrary() = default;

}  // namespace tenure::cpu
