// SPDX-License-Identifier: Apache-2.0
// asymmetric_fence: a store ordered before a later load, free on the side that does it often.
//
// Two threads each store one thing and then load the other's; at least one of them must see the other's
// store. Usually both pay for a full fence. Here the rare side asks the kernel to make every thread of the
// process pass one, and the frequent side only keeps the compiler from exchanging its store and its load.
#pragma once

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>

#pragma GCC visibility push(hidden)
namespace tenure::abi {

namespace asymmetric_fence_detail {
inline bool membarrier(int command) noexcept { return ::syscall(SYS_membarrier, command, 0, 0) == 0; }
inline bool register_process() noexcept { return membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED); }
}  // namespace asymmetric_fence_detail

// Whether the kernel offers it and this image has asked for it; while it is false the frequent side has to
// use sequentially consistent operations.
inline constinit std::atomic<bool> heavy_fence_works{false};

// To be called before an object that two threads order in this way is known to a second one. Nothing of this
// runs when an image is mapped.
inline void prepare_heavy_fence() noexcept {
  if (heavy_fence_works.load(std::memory_order_relaxed)) return;
  if (asymmetric_fence_detail::register_process()) heavy_fence_works.store(true);
}

inline bool is_heavy_fence_ready() noexcept { return heavy_fence_works.load(std::memory_order_relaxed); }

// For the rare side, between its store and its load, which are sequentially consistent. Takes microseconds.
// Ends the process when the kernel, having offered the fence, refuses it, as it does behind a filter of
// system calls that was installed in between: the frequent side has relied on it. Leaves errno alone.
inline void heavy_fence() noexcept {
  using namespace asymmetric_fence_detail;
  if (!is_heavy_fence_ready()) return;
  const int error = errno;
  // A forked child may have to register for itself.
  if (!membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) &&
      !(register_process() && membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED))) {
    std::fputs("tenure: the kernel refuses membarrier, which it offered when a provider was opened\n",
               stderr);
    std::abort();
  }
  errno = error;
}

}  // namespace tenure::abi
#pragma GCC visibility pop
