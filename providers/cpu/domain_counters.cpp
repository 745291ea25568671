// SPDX-License-Identifier: Apache-2.0
#include "domain_counters.hpp"

#include <algorithm>

#include "tenure/abi/struct_head.hpp"

namespace tenure::cpu {

void DomainCounters::add_live(std::uint32_t thread_index, std::uint64_t bytes) noexcept {
  const std::int64_t live = change(thread_index, 1, static_cast<std::int64_t>(bytes));
  std::int64_t peak = peak_bytes_.load(std::memory_order_relaxed);
  while (peak < live && !peak_bytes_.compare_exchange_weak(peak, live, std::memory_order_relaxed)) {
  }
}

void DomainCounters::remove_live(std::uint32_t thread_index, std::uint64_t bytes) noexcept {
  change(thread_index, -1, -static_cast<std::int64_t>(bytes));
}

std::int64_t DomainCounters::change(std::uint32_t thread_index, std::int64_t count,
                                    std::int64_t bytes) noexcept {
  Shard& shard = shards_[thread_index % shard_count];
  shard.live_count.fetch_add(count, std::memory_order_relaxed);
  const std::int64_t own = shard.unpublished_bytes.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  if (own <= unpublished_bytes_max && own >= -unpublished_bytes_max) {
    return published_bytes_.load(std::memory_order_relaxed) + own;
  }
  const std::int64_t published = shard.unpublished_bytes.exchange(0, std::memory_order_relaxed);
  return published_bytes_.fetch_add(published, std::memory_order_relaxed) + published;
}

tenure_domain_statistics DomainCounters::snapshot() const noexcept {
  std::int64_t live_count = 0;
  std::int64_t live_bytes = published_bytes_.load(std::memory_order_relaxed);
  for (const Shard& shard : shards_) {
    live_count += shard.live_count.load(std::memory_order_relaxed);
    live_bytes += shard.unpublished_bytes.load(std::memory_order_relaxed);
  }
  live_bytes = std::max<std::int64_t>(live_bytes, 0);
  auto statistics = abi::make_struct<tenure_domain_statistics>();
  statistics.live_count = static_cast<std::uint64_t>(std::max<std::int64_t>(live_count, 0));
  statistics.live_bytes = static_cast<std::uint64_t>(live_bytes);
  statistics.reserved_bytes = reserved_bytes_.load(std::memory_order_relaxed);
  statistics.peak_bytes =
      static_cast<std::uint64_t>(std::max(live_bytes, peak_bytes_.load(std::memory_order_relaxed)));
  // Releases first: read the other way round, more might end than began.
  statistics.release_calls = release_calls_.load(std::memory_order_acquire);
  statistics.create_calls = create_calls_.load(std::memory_order_relaxed);
  return statistics;
}

}  // namespace tenure::cpu
