// SPDX-License-Identifier: Apache-2.0
// magazine_rack: the magazines of a pool, one for each thread index.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <new>

#include "tenure/abi/asymmetric_fence.hpp"
#include "tenure/sdk/pool/magazine.hpp"

#pragma GCC visibility push(hidden)
namespace tenure::sdk::pool {

// A magazine is made when its thread first needs it and lives as long as the rack; a later thread with
// the same index goes on with it. Where the kernel has no heavy fence, for which each magazine has a lock,
// there are none.
template <class Block>
class MagazineRack {
 public:
  // Threads with a larger index work without a magazine.
  static constexpr std::uint32_t threads_max = 1024;

  MagazineRack() noexcept { abi::prepare_heavy_fence(); }
  MagazineRack(const MagazineRack&) = delete;
  MagazineRack& operator=(const MagazineRack&) = delete;
  ~MagazineRack() {
    for (auto& magazine : magazines_) delete magazine.load(std::memory_order_relaxed);
  }

  // The magazine of a thread, or null when it has none yet.
  Magazine<Block>* find(std::uint32_t thread_index) const noexcept {
    return thread_index < threads_max ? magazines_[thread_index].load(std::memory_order_acquire) : nullptr;
  }

  // Makes it if need be. Null when the index is too large, or there is no memory or no fence.
  Magazine<Block>* find_or_make(std::uint32_t thread_index) noexcept {
    if (Magazine<Block>* magazine = find(thread_index)) return magazine;
    if (thread_index >= threads_max || !abi::is_heavy_fence_ready()) return nullptr;
    const std::lock_guard lock(mutex_);
    auto& place = magazines_[thread_index];
    if (place.load(std::memory_order_relaxed) == nullptr) {
      place.store(new (std::nothrow) Magazine<Block>, std::memory_order_release);
    }
    return place.load(std::memory_order_relaxed);
  }

  // Calls `function` with each magazine in turn until it returns false. Who makes a magazine later sees what
  // the caller wrote before.
  template <class Function>
  void for_each(const Function& function) const {
    const std::lock_guard lock(mutex_);
    for (const auto& place : magazines_) {
      Magazine<Block>* magazine = place.load(std::memory_order_relaxed);
      if (magazine != nullptr && !function(*magazine)) return;
    }
  }

 private:
  mutable std::mutex mutex_;
  std::array<std::atomic<Magazine<Block>*>, threads_max> magazines_{};
};

}  // namespace tenure::sdk::pool
#pragma GCC visibility pop
