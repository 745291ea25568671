// SPDX-License-Identifier: Apache-2.0
// live_counts: how many objects of an instance live, counted by thread.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>

#include "tenure/abi/asymmetric_fence.hpp"
#include "tenure/config.h"

namespace tenure::inline TENURE_BUILD {

// What keeps the provider from being closed. `call` is for the length of one call into the provider that
// holds none of the others. `extracted` are storages whose bytes left their tensor: the user may forget where
// they came from, so they do not keep Instance::close from succeeding.
enum class LiveKind : std::uint8_t {
  storage,
  pool,
  engine,
  call,
  extracted,
};
inline constexpr std::size_t live_kind_count = 5;

// A thread counts in the shard of its index. An object may be released by another thread than made it, so a
// shard alone may be negative; the sum never is.
class LiveCounts {
 public:
  struct Sum {
    std::array<std::int64_t, live_kind_count> counts{};
    std::array<std::int64_t, live_kind_count> bytes{};

    bool is_zero() const noexcept { return counts == std::array<std::int64_t, live_kind_count>{}; }
    // Without the extracted storages.
    Sum in_use() const noexcept {
      Sum sum = *this;
      sum.counts[static_cast<std::size_t>(LiveKind::extracted)] = 0;
      return sum;
    }
  };

  LiveCounts() noexcept { abi::prepare_heavy_fence(); }
  LiveCounts(const LiveCounts&) = delete;
  LiveCounts& operator=(const LiveCounts&) = delete;

  // What the calling thread, whose index it is, loads afterwards is ordered after the count as
  // asymmetric_fence says.
  void add(std::uint32_t thread_index, LiveKind kind, std::uint64_t bytes) noexcept {
    change(thread_index, kind, 1, static_cast<std::int64_t>(bytes));
  }
  void subtract(std::uint32_t thread_index, LiveKind kind, std::uint64_t bytes) noexcept {
    change(thread_index, kind, -1, static_cast<std::int64_t>(-bytes));
  }

  // Exact for everything that was counted before the caller's last heavy_fence.
  Sum sum() const noexcept {
    Sum sum;
    for (const Shard& shard : shards_) {
      for (std::size_t at = 0; at < live_kind_count; ++at) {
        sum.counts[at] += shard.counts[at].load();
        sum.bytes[at] = wrapping_sum(sum.bytes[at], shard.bytes[at].load(std::memory_order_relaxed));
      }
    }
    return sum;
  }

 private:
  // A size that no machine has is counted until the provider refuses it, so bytes wrap, as fetch_add does.
  static std::int64_t wrapping_sum(std::int64_t a, std::int64_t b) noexcept {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  }
  using Number = std::atomic<std::int64_t>;
  struct alignas(64) Shard {
    std::array<Number, live_kind_count> counts{};
    std::array<Number, live_kind_count> bytes{};
  };
  // The last shard is for all threads with a higher index.
  static constexpr std::size_t shard_count = 64;
  static constexpr std::size_t shared_shard = shard_count - 1;

  void change(std::uint32_t thread_index, LiveKind kind, std::int64_t count, std::int64_t bytes) noexcept {
    const auto at = static_cast<std::size_t>(kind);
    if (thread_index < shared_shard && abi::is_heavy_fence_ready()) {
      // No other thread writes this shard.
      Shard& own = shards_[thread_index];
      write(own.bytes[at], bytes, std::memory_order_relaxed);
      write(own.counts[at], count, std::memory_order_release);
      std::atomic_signal_fence(std::memory_order_seq_cst);
    } else {
      Shard& shard = shards_[std::min<std::size_t>(thread_index, shared_shard)];
      shard.bytes[at].fetch_add(bytes, std::memory_order_relaxed);
      shard.counts[at].fetch_add(count);
    }
  }
  static void write(Number& number, std::int64_t more, std::memory_order order) noexcept {
    number.store(wrapping_sum(number.load(std::memory_order_relaxed), more), order);
  }

  std::array<Shard, shard_count> shards_{};
};

}  // namespace tenure::inline TENURE_BUILD
