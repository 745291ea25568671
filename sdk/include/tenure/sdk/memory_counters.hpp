// SPDX-License-Identifier: Apache-2.0
// memory_counters: the statistics of one domain, counted from any thread.
#pragma once

#include <atomic>
#include <cstdint>

#include "tenure/abi/struct_head.hpp"
#include "tenure/provider_abi.h"

#pragma GCC visibility push(hidden)
namespace tenure::sdk {

// What tenure_domain_statistics reports of memory that is kept nowhere: everything reserved is alive.
// The counters order nothing but each other: who sees a release also sees the create before it.
class MemoryCounters {
 public:
  void add_created(std::uint64_t bytes) noexcept {
    create_calls_.fetch_add(1, std::memory_order_relaxed);
    const std::uint64_t live = live_bytes_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
    std::uint64_t peak = peak_bytes_.load(std::memory_order_relaxed);
    while (peak < live && !peak_bytes_.compare_exchange_weak(peak, live, std::memory_order_relaxed)) {
    }
  }
  void add_released(std::uint64_t bytes) noexcept {
    release_calls_.fetch_add(1, std::memory_order_release);
    live_bytes_.fetch_sub(bytes, std::memory_order_relaxed);
  }
  void add_failed() noexcept { failed_calls_.fetch_add(1, std::memory_order_relaxed); }

  tenure_domain_statistics snapshot() const noexcept {
    auto statistics = abi::make_struct<tenure_domain_statistics>();
    // Releases first: read the other way round, a create and its release in between would make the
    // live count negative.
    statistics.release_calls = release_calls_.load(std::memory_order_acquire);
    statistics.create_calls = create_calls_.load(std::memory_order_relaxed);
    statistics.failed_calls = failed_calls_.load(std::memory_order_relaxed);
    statistics.live_count = statistics.create_calls - statistics.release_calls;
    statistics.live_bytes = live_bytes_.load(std::memory_order_relaxed);
    statistics.reserved_bytes = statistics.live_bytes;
    statistics.peak_bytes = peak_bytes_.load(std::memory_order_relaxed);
    return statistics;
  }

 private:
  std::atomic<std::uint64_t> create_calls_{0};
  std::atomic<std::uint64_t> release_calls_{0};
  std::atomic<std::uint64_t> failed_calls_{0};
  std::atomic<std::uint64_t> live_bytes_{0};
  std::atomic<std::uint64_t> peak_bytes_{0};
};

}  // namespace tenure::sdk
#pragma GCC visibility pop
