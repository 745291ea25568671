// SPDX-License-Identifier: Apache-2.0
// parallel_for: the one place where the provider runs work on more than the calling thread.
//
// Two implementations, chosen when the provider is built: oneTBB, and plain threads for builds that watch
// threads, in which an uninstrumented oneTBB gives false reports.
#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>

namespace tenure::cpu {

// Runs independent tasks on a fixed number of threads, the caller's among them. Starts no thread before
// the first run. Any thread may run; concurrent runs share the threads, so that all together have no more
// than one run has, apart from their callers.
class ParallelFor {
 public:
  // `width` is at least 1.
  explicit ParallelFor(int width);
  ParallelFor(const ParallelFor&) = delete;
  ParallelFor& operator=(const ParallelFor&) = delete;
  ~ParallelFor();

  int width() const noexcept { return width_; }

  // Calls body(i) for each i below `count`, in any order, and returns when all calls have ended. When a
  // call throws, no further ones begin and one of the exceptions is thrown here; later runs are unaffected.
  // Throws std::system_error, and has called nothing, when the system refuses a thread.
  template <class Body>
  void operator()(std::int64_t count, const Body& body) {
    run(
        count, [](const void* context, std::int64_t i) { (*static_cast<const Body*>(context))(i); }, &body);
  }

 private:
  using Call = void (*)(const void* context, std::int64_t i);
  void run(std::int64_t count, Call call, const void* context);

  struct Backend;
  int width_;
  std::unique_ptr<Backend> backend_;
};

// Keeps the library that owns the threads in use. When the last one goes, the library ends its threads,
// unless somebody else in the process uses it too.
class ParallelLibrary {
 public:
  ParallelLibrary();
  ParallelLibrary(const ParallelLibrary&) = delete;
  ParallelLibrary& operator=(const ParallelLibrary&) = delete;
  ~ParallelLibrary();
};

}  // namespace tenure::cpu
