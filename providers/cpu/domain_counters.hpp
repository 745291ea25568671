// SPDX-License-Identifier: Apache-2.0
// domain_counters: the statistics of a domain whose storage is mostly handed out by pools.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "tenure/provider_abi.h"

namespace tenure::cpu {

// Handing out a pooled block takes less time than a cache line that two threads write, so each thread counts
// in a shard of its own. The sums are exact while no other thread counts and never negative. The peak is
// exact for one thread; what another one has not published yet may be missing from it.
class DomainCounters {
 public:
  // One storage of the domain begins or ends to live; `bytes` as it was asked for, the same both times.
  void add_live(std::uint32_t thread_index, std::uint64_t bytes) noexcept;
  void remove_live(std::uint32_t thread_index, std::uint64_t bytes) noexcept;

  // Storage that no pool made.
  void add_create_call() noexcept { create_calls_.fetch_add(1, std::memory_order_relaxed); }
  void add_release_call() noexcept { release_calls_.fetch_add(1, std::memory_order_release); }

  // Memory that was taken from the system or given back to it.
  void add_reserved(std::uint64_t bytes) noexcept {
    reserved_bytes_.fetch_add(bytes, std::memory_order_relaxed);
  }
  void remove_reserved(std::uint64_t bytes) noexcept {
    reserved_bytes_.fetch_sub(bytes, std::memory_order_relaxed);
  }

  // All but the failed calls.
  tenure_domain_statistics snapshot() const noexcept;

 private:
  // What a shard may keep to itself, in either direction.
  static constexpr std::int64_t unpublished_bytes_max = std::int64_t{256} << 10;
  static constexpr std::uint32_t shard_count = 64;

  struct alignas(64) Shard {
    std::atomic<std::int64_t> live_count{0};
    std::atomic<std::int64_t> unpublished_bytes{0};
  };

  // Returns the live bytes that this thread knows of.
  std::int64_t change(std::uint32_t thread_index, std::int64_t count, std::int64_t bytes) noexcept;

  std::array<Shard, shard_count> shards_;
  alignas(64) std::atomic<std::int64_t> published_bytes_{0};
  std::atomic<std::int64_t> peak_bytes_{0};
  std::atomic<std::uint64_t> reserved_bytes_{0};
  std::atomic<std::uint64_t> create_calls_{0};
  std::atomic<std::uint64_t> release_calls_{0};
};

}  // namespace tenure::cpu
