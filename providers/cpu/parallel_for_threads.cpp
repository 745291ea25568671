// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "parallel_for.hpp"

namespace tenure::cpu {

struct ParallelFor::Backend {};

ParallelFor::ParallelFor(int width) : width_(width) {}
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
  {
    std::vector<std::jthread> others;
    const std::int64_t wanted = std::min<std::int64_t>(width_, count) - 1;
    for (std::int64_t i = 0; i < wanted; ++i) others.emplace_back(work);
    work();
  }
  if (failure != nullptr) std::rethrow_exception(failure);
}

ParallelLibrary::ParallelLibrary() = default;
ParallelLibrary::~ParallelLibrary() = default;

}  // namespace tenure::cpu
