// SPDX-License-Identifier: Apache-2.0
// domain_counters: the statistics of a domain whose storage is mostly handed out by pools.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <limits>

#include "tenure/provider_abi.h"

namespace tenure::cpu {

// Handing out a pooled block takes less time than an atomic addition, so each thread counts in a shard whose
// sums no other thread writes. The sums are exact while no other thread counts and never negative. The peak
// is exact as long as one thread counts; with several, each may hide a 32nd of the peak from it, or 256 KiB,
// and what one gives back while another takes as much may be counted twice.
class DomainCounters {
 public:
  // One storage of the domain begins or ends to live; `bytes` as it was asked for, the same both times.
  void add_live(std::uint32_t thread_index, std::uint64_t bytes) noexcept {
    const auto more = static_cast<std::int64_t>(bytes);
    if (thread_index >= shared_shard) [[unlikely]] {
      return change_shared(1, more);
    }
    Shard& own = shards_[thread_index];
    const std::int64_t live = own.change(1, more);
    if (live > own.quiet_bytes.load(std::memory_order_relaxed)) [[unlikely]] {
      raise_peak(own, live);
    }
  }
  void remove_live(std::uint32_t thread_index, std::uint64_t bytes) noexcept {
    const auto less = -static_cast<std::int64_t>(bytes);
    if (thread_index >= shared_shard) [[unlikely]] {
      return change_shared(-1, less);
    }
    Shard& own = shards_[thread_index];
    const std::int64_t live = own.change(-1, less);
    const std::int64_t quiet = live + hidden_bytes_.load(std::memory_order_relaxed);
    if (quiet < own.quiet_bytes.load(std::memory_order_relaxed)) {
      own.quiet_bytes.store(quiet, std::memory_order_relaxed);
    }
    // Only who gives back what others took can come here first.
    if (live < 0) [[unlikely]] {
      begin(own);
    }
  }

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
  static constexpr std::int64_t hidden_bytes_min = std::int64_t{256} << 10;
  static constexpr std::int64_t hidden_part = 32;
  static constexpr std::int64_t alone = std::int64_t{1} << 62;
  static constexpr std::int64_t nothing = std::numeric_limits<std::int64_t>::min();
  static constexpr std::uint32_t shard_count = 64;
  // For all threads with a higher index, and for those without one.
  static constexpr std::uint32_t shared_shard = shard_count - 1;

  using Number = std::atomic<std::int64_t>;
  struct alignas(64) Shard {
    Number live_count{0};
    Number live_bytes{0};
    Number quiet_bytes{nothing};  // while the owner has no more alive, it does not raise the peak
    std::atomic<bool> is_used{false};

    // By the owner. Returns the live bytes.
    std::int64_t change(std::int64_t count, std::int64_t bytes) noexcept {
      const std::int64_t live = live_bytes.load(std::memory_order_relaxed) + bytes;
      live_bytes.store(live, std::memory_order_relaxed);
      live_count.store(live_count.load(std::memory_order_relaxed) + count, std::memory_order_relaxed);
      return live;
    }
  };

  void change_shared(std::int64_t count, std::int64_t bytes) noexcept;
  // Lets the sums take the shard in; nothing when they do.
  void begin(Shard& shard) noexcept;
  void raise_peak(Shard& own, std::int64_t live) noexcept;
  void raise_peak() noexcept;
  std::int64_t live_bytes() const noexcept;

  std::array<Shard, shard_count> shards_;
  // Read by every thread, written when the peak rises or a further thread begins to count. One that counts
  // alone hides nothing by staying below what it once had.
  alignas(64) Number hidden_bytes_{alone};
  std::atomic<std::uint32_t> used_shards_{0};
  std::atomic<std::uint32_t> shard_end_{0};
  Number peak_bytes_{0};
  // Written where memory comes from the system.
  alignas(64) std::atomic<std::uint64_t> reserved_bytes_{0};
  std::atomic<std::uint64_t> create_calls_{0};
  std::atomic<std::uint64_t> release_calls_{0};
};

}  // namespace tenure::cpu
