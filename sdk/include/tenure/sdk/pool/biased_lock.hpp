// SPDX-License-Identifier: Apache-2.0
// biased_lock: a lock that costs the one thread that takes it again and again next to nothing.
#pragma once

#include <atomic>
#include <thread>

#include "tenure/abi/asymmetric_fence.hpp"

#pragma GCC visibility push(hidden)
namespace tenure::sdk::pool {

// The owner, one thread at a time, pays two plain stores; everybody else pays microseconds, for the fence
// that the owner leaves out. Nobody may own it where that fence is not ready. Unlocking is the last access to
// the object on either side, so the one who locks next may destroy it.
class BiasedLock {
 public:
  // The owner's lock.
  class Owner {
   public:
    explicit Owner(BiasedLock& lock) noexcept : lock_(lock) { lock_.lock_owned(); }
    Owner(const Owner&) = delete;
    Owner& operator=(const Owner&) = delete;
    ~Owner() { lock_.is_owned_.store(false, std::memory_order_release); }

   private:
    BiasedLock& lock_;
  };

  BiasedLock() noexcept { abi::prepare_heavy_fence(); }
  BiasedLock(const BiasedLock&) = delete;
  BiasedLock& operator=(const BiasedLock&) = delete;

  // For everybody, also for the owner while it has not locked.
  void lock() noexcept {
    while (is_claimed_.exchange(true)) wait_for(is_claimed_);
    abi::heavy_fence();
    while (is_owned_.load()) std::this_thread::yield();
  }
  void unlock() noexcept { is_claimed_.store(false, std::memory_order_release); }

 private:
  void lock_owned() noexcept {
    store_owned_before_load();
    if (is_claimed_.load()) [[unlikely]] {
      give_way();
    }
  }
  // The fence of the others orders the store before the load; here the compiler must not exchange them.
  void store_owned_before_load() noexcept {
    is_owned_.store(true, std::memory_order_release);
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }

  [[gnu::noinline, gnu::cold]] void give_way() noexcept {
    do {
      is_owned_.store(false, std::memory_order_release);
      wait_for(is_claimed_);
      store_owned_before_load();
    } while (is_claimed_.load());
  }

  static void wait_for(const std::atomic<bool>& flag) noexcept {
    while (flag.load(std::memory_order_relaxed)) std::this_thread::yield();
  }

  std::atomic<bool> is_owned_{false};
  std::atomic<bool> is_claimed_{false};
};

}  // namespace tenure::sdk::pool
#pragma GCC visibility pop
