// SPDX-License-Identifier: Apache-2.0
// live_counts: how many objects of an instance live, counted by thread.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

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

// A thread adds to the shard of its index only. An object may be released by another thread than made it,
// so a shard alone may be negative; the sum never is.
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

  // The counts are ordered with all other sequentially consistent operations; the bytes are not.
  void add(std::uint32_t thread_index, LiveKind kind, std::uint64_t bytes) noexcept {
    Shard& shard = shards_[thread_index % shard_count];
    const auto at = static_cast<std::size_t>(kind);
    shard.bytes[at].fetch_add(static_cast<std::int64_t>(bytes), std::memory_order_relaxed);
    shard.counts[at].fetch_add(1);
  }
  void subtract(std::uint32_t thread_index, LiveKind kind, std::uint64_t bytes) noexcept {
    Shard& shard = shards_[thread_index % shard_count];
    const auto at = static_cast<std::size_t>(kind);
    shard.bytes[at].fetch_sub(static_cast<std::int64_t>(bytes), std::memory_order_relaxed);
    shard.counts[at].fetch_sub(1);
  }
  Sum sum() const noexcept {
    Sum sum;
    for (const Shard& shard : shards_) {
      for (std::size_t at = 0; at < live_kind_count; ++at) {
        sum.counts[at] += shard.counts[at].load();
        sum.bytes[at] += shard.bytes[at].load(std::memory_order_relaxed);
      }
    }
    return sum;
  }

 private:
  static constexpr std::size_t shard_count = 64;
  struct alignas(64) Shard {
    std::array<std::atomic<std::int64_t>, live_kind_count> counts{};
    std::array<std::atomic<std::int64_t>, live_kind_count> bytes{};
  };
  std::array<Shard, shard_count> shards_{};
};

}  // namespace tenure::inline TENURE_BUILD
