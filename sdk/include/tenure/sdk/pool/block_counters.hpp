// SPDX-License-Identifier: Apache-2.0
// block_counters: what a pool counts where blocks are made, freed, detached and given back.
#pragma once

#include <atomic>
#include <cstdint>

#include "tenure/sdk/pool/statistics.hpp"

#pragma GCC visibility push(hidden)
namespace tenure::sdk::pool {

// Nothing here is touched when an idle block is handed out or a block is kept.
class BlockCounters {
 public:
  void add_made(std::uint64_t bytes) noexcept {
    misses_.fetch_add(1, std::memory_order_relaxed);
    attach(bytes);
  }
  void add_freed(std::uint64_t bytes) noexcept { remove(bytes); }
  void add_evicted() noexcept { evictions_.fetch_add(1, std::memory_order_relaxed); }
  void add_detached(std::uint64_t bytes) noexcept {
    remove(bytes);
    detached_.fetch_add(1, std::memory_order_relaxed);
  }
  void add_given_back(std::uint64_t bytes) noexcept {
    attach(bytes);
    detached_.fetch_sub(1, std::memory_order_relaxed);
  }

  // With what is idle, which the caller knows.
  Statistics snapshot(std::uint64_t idle_count, std::uint64_t idle_bytes) const noexcept {
    const std::uint64_t count = attached_count_.load(std::memory_order_relaxed);
    const std::uint64_t bytes = attached_bytes_.load(std::memory_order_relaxed);
    return {
        .buffers = idle_count,
        .capacity_bytes = idle_bytes,
        .live_count = count > idle_count ? count - idle_count : 0,
        .live_bytes = bytes > idle_bytes ? bytes - idle_bytes : 0,
        .reserved_bytes = bytes,
        .peak_bytes = peak_bytes_.load(std::memory_order_relaxed),
        .misses = misses_.load(std::memory_order_relaxed),
        .evictions = evictions_.load(std::memory_order_relaxed),
        .detached = detached_.load(std::memory_order_relaxed),
    };
  }

 private:
  void attach(std::uint64_t bytes) noexcept {
    attached_count_.fetch_add(1, std::memory_order_relaxed);
    const std::uint64_t now = attached_bytes_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
    std::uint64_t peak = peak_bytes_.load(std::memory_order_relaxed);
    while (peak < now && !peak_bytes_.compare_exchange_weak(peak, now, std::memory_order_relaxed)) {
    }
  }
  void remove(std::uint64_t bytes) noexcept {
    attached_count_.fetch_sub(1, std::memory_order_relaxed);
    attached_bytes_.fetch_sub(bytes, std::memory_order_relaxed);
  }

  std::atomic<std::uint64_t> attached_count_{0};  // live and idle
  std::atomic<std::uint64_t> attached_bytes_{0};
  std::atomic<std::uint64_t> peak_bytes_{0};
  std::atomic<std::uint64_t> misses_{0};
  std::atomic<std::uint64_t> evictions_{0};
  std::atomic<std::uint64_t> detached_{0};
};

}  // namespace tenure::sdk::pool
#pragma GCC visibility pop
