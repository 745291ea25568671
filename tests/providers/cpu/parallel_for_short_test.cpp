// SPDX-License-Identifier: Apache-2.0
// What a run does when the system refuses threads.
#include <dlfcn.h>
#include <doctest/doctest.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <system_error>
#include <vector>

#include "parallel_for.hpp"

namespace {

std::atomic<int> threads_left{0};

}  // namespace

// Found before the system's, also by the library behind ParallelFor.
extern "C" [[gnu::visibility("default")]] int pthread_create(pthread_t* thread,
                                                             const pthread_attr_t* attributes,
                                                             void* (*start)(void*), void* argument) noexcept {
  using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const auto create = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
  if (threads_left.fetch_sub(1) <= 0) return EAGAIN;
  return create(thread, attributes, start, argument);
}

TEST_CASE("ParallelFor: where threads cannot start nothing is called, and later runs are whole") {
  const tenure::cpu::ParallelLibrary library;
  tenure::cpu::ParallelFor parallel_for(2);
  std::vector<std::atomic<int>> calls(100);
  const auto call = [&](std::int64_t i) { ++calls[static_cast<std::size_t>(i)]; };
  for (int round = 0; round < 2; ++round) {
    threads_left = 0;
    CHECK_THROWS_AS(parallel_for(100, call), std::system_error);
    for (const auto& count : calls) CHECK(count == 0);
  }
  threads_left = 1000;
  parallel_for(100, call);
  for (const auto& count : calls) CHECK(count == 1);
}
