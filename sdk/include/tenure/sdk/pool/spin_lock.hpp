// SPDX-License-Identifier: Apache-2.0
// spin_lock: a lock for a few instructions.
#pragma once

#include <atomic>
#include <thread>

#pragma GCC visibility push(hidden)
namespace tenure::sdk::pool {

// One atomic exchange to lock and a plain store to unlock: half the price of a mutex when free, and no
// sleep, which would cost more than any wait here. Unlocking is the last access to the object, so the
// one who locks next may destroy it.
class SpinLock {
 public:
  void lock() noexcept {
    while (held_.exchange(true, std::memory_order_acquire)) wait();
  }
  void unlock() noexcept { held_.store(false, std::memory_order_release); }

 private:
  [[gnu::noinline, gnu::cold]] void wait() const noexcept {
    while (held_.load(std::memory_order_relaxed)) std::this_thread::yield();
  }

  std::atomic<bool> held_{false};
};

}  // namespace tenure::sdk::pool
#pragma GCC visibility pop
