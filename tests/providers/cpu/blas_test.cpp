// SPDX-License-Identifier: Apache-2.0
#include "blas.hpp"

#include <dlfcn.h>
#include <doctest/doctest.h>
#include <pthread.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#include "tenure/abi/dtype.hpp"

namespace {

// How many more threads the system starts; below 0: any number.
std::atomic<int> threads_left{-1};

}  // namespace

// Stands before the system's own for the whole process.
extern "C" [[gnu::visibility("default")]] int pthread_create(pthread_t* thread,
                                                             const pthread_attr_t* attributes,
                                                             void* (*body)(void*), void* argument) noexcept {
  using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const auto create = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
  if (threads_left.load() == 0) return EAGAIN;
  if (threads_left.load() > 0) threads_left.fetch_sub(1);
  return create(thread, attributes, body, argument);
}

namespace {

// A product of matrices of ones, which is the number of terms everywhere.
bool multiplies_ones(std::int64_t size) {
  const auto count = static_cast<std::size_t>(size * size);
  std::vector<double> left(count, 1.0), right(count, 1.0), out(count, -1.0);
  const double one = 1.0, zero = 0.0;
  const auto bytes = [](std::vector<double>& elements) {
    return reinterpret_cast<std::byte*>(elements.data());
  };
  const auto* const f64 = tenure::abi::find_dtype({TENURE_DTYPE_FLOAT, 64, 1});
  tenure::cpu::multiply({.dtype = static_cast<std::size_t>(f64 - tenure::abi::dtype_table.data()),
                         .m = size,
                         .n = size,
                         .k = size,
                         .alpha = &one,
                         .left = {bytes(left), size},
                         .right = {bytes(right), size},
                         .beta = &zero,
                         .out = {bytes(out), size}});
  for (const double element : out) {
    if (element != static_cast<double>(size)) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("Blas: a thread of the self-test that cannot be started makes all callers take turns") {
  threads_left.store(2);
  CHECK(multiplies_ones(40));
  CHECK(threads_left.exchange(-1) == 0);
  std::atomic<int> right{0};
  {
    std::array<std::jthread, 4> threads;
    for (std::jthread& thread : threads) {
      thread = std::jthread([&right] { right.fetch_add(multiplies_ones(64) ? 1 : 0); });
    }
  }
  CHECK(right.load() == 4);
}

TEST_CASE("Blas: more callers at once than the library has room for") {
  constexpr int callers = 120;
  std::atomic<int> right{0};
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < callers; ++i) {
      threads.emplace_back([&right] {
        bool is_right = true;
        for (int round = 0; round < 5; ++round) is_right = multiplies_ones(96) && is_right;
        right.fetch_add(is_right ? 1 : 0);
      });
    }
  }
  CHECK(right.load() == callers);
}
