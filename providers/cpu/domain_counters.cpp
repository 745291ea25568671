// SPDX-License-Identifier: Apache-2.0
#include "domain_counters.hpp"

#include <algorithm>

#include "tenure/abi/struct_head.hpp"

namespace tenure::cpu {

void DomainCounters::change_shared(std::int64_t count, std::int64_t bytes) noexcept {
  Shard& shard = shards_[shared_shard];
  begin(shard);
  shard.live_count.fetch_add(count, std::memory_order_relaxed);
  shard.live_bytes.fetch_add(bytes, std::memory_order_relaxed);
  raise_peak();
}

void DomainCounters::begin(Shard& shard) noexcept {
  if (shard.is_used.load(std::memory_order_relaxed) ||
      shard.is_used.exchange(true, std::memory_order_relaxed)) {
    return;
  }
  const auto index = static_cast<std::uint32_t>(&shard - shards_.data());
  std::uint32_t end = shard_end_.load(std::memory_order_relaxed);
  while (end <= index && !shard_end_.compare_exchange_weak(end, index + 1, std::memory_order_relaxed)) {
  }
  if (used_shards_.fetch_add(1, std::memory_order_relaxed) != 1) return;
  hidden_bytes_.store(hidden_bytes_min, std::memory_order_relaxed);
  // The first thread has to look next time.
  for (Shard& other : shards_) other.quiet_bytes.store(nothing, std::memory_order_relaxed);
}

std::int64_t DomainCounters::live_bytes() const noexcept {
  std::int64_t sum = 0;
  const std::uint32_t end = shard_end_.load(std::memory_order_relaxed);
  for (std::uint32_t at = 0; at < end; ++at) sum += shards_[at].live_bytes.load(std::memory_order_relaxed);
  return std::max<std::int64_t>(sum, 0);
}

void DomainCounters::raise_peak(Shard& own, std::int64_t live) noexcept {
  begin(own);
  const std::int64_t hidden_bytes = hidden_bytes_.load(std::memory_order_relaxed);
  own.quiet_bytes.store(hidden_bytes == alone ? live : live + hidden_bytes, std::memory_order_relaxed);
  raise_peak();
}

void DomainCounters::raise_peak() noexcept {
  const std::int64_t live = live_bytes();
  std::int64_t peak = peak_bytes_.load(std::memory_order_relaxed);
  while (peak < live && !peak_bytes_.compare_exchange_weak(peak, live, std::memory_order_relaxed)) {
  }
  if (peak < live && hidden_bytes_.load(std::memory_order_relaxed) != alone) {
    hidden_bytes_.store(std::max(hidden_bytes_min, live / hidden_part), std::memory_order_relaxed);
  }
}

tenure_domain_statistics DomainCounters::snapshot() const noexcept {
  std::int64_t live_count = 0;
  for (const Shard& shard : shards_) live_count += shard.live_count.load(std::memory_order_relaxed);
  const std::int64_t live = live_bytes();
  auto statistics = abi::make_struct<tenure_domain_statistics>();
  statistics.live_count = static_cast<std::uint64_t>(std::max<std::int64_t>(live_count, 0));
  statistics.live_bytes = static_cast<std::uint64_t>(live);
  statistics.reserved_bytes = reserved_bytes_.load(std::memory_order_relaxed);
  statistics.peak_bytes =
      static_cast<std::uint64_t>(std::max(live, peak_bytes_.load(std::memory_order_relaxed)));
  // Releases first: read the other way round, more might end than began.
  statistics.release_calls = release_calls_.load(std::memory_order_acquire);
  statistics.create_calls = create_calls_.load(std::memory_order_relaxed);
  return statistics;
}

}  // namespace tenure::cpu
