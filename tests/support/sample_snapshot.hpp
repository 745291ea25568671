// SPDX-License-Identifier: Apache-2.0
// sample_snapshot: a snapshot that a test can change and spoil.
#pragma once

#include "tenure/memory/pool_snapshot.hpp"

namespace tenure::test {

// A traced pool: one block that is out, one that is idle, one that was extracted.
inline PoolSnapshot sample_snapshot() {
  PoolSnapshot snapshot{.domain = "cpu:0/pageable", .mode = PoolMode::trace, .retained_bytes_max = 1 << 20};
  snapshot.trace_events_max = 100;
  snapshot.statistics = {.buffers = 1,
                         .capacity_bytes = 64,
                         .live_count = 1,
                         .live_bytes = 1024,
                         .reserved_bytes = 1088,
                         .peak_bytes = 3136,
                         .hits = 1,
                         .misses = 3,
                         .evictions = 0,
                         .detached = 1};
  snapshot.blocks = {{1, 0x1000, 1024, 256, PoolBlockState::live},
                     {2, 0x2000, 64, 64, PoolBlockState::idle},
                     {3, 0x9000, 2048, 256, PoolBlockState::detached}};
  const auto add = [&](PoolEventKind kind, PoolEventOutcome outcome, std::uint64_t block,
                       std::uint64_t capacity_bytes, std::uint64_t bytes = 0) {
    const std::uint64_t sequence = snapshot.events.size() + 1;
    snapshot.events.push_back({.sequence = sequence,
                               .time_ns = sequence * 100,
                               .block = block,
                               .capacity_bytes = capacity_bytes,
                               .bytes = bytes,
                               .kind = kind,
                               .outcome = outcome});
  };
  using enum PoolEventKind;
  using enum PoolEventOutcome;
  add(allocate, done, 1, 1024);
  add(acquire, miss, 1, 1024, 1000);
  add(allocate, done, 2, 64);
  add(acquire, miss, 2, 64, 50);
  add(release, done, 1, 1024);
  add(acquire, hit, 1, 1024, 900);
  add(allocate, done, 3, 2048);
  add(acquire, miss, 3, 2048, 2000);
  add(detach, done, 3, 2048);
  add(release, done, 2, 64);
  return snapshot;
}

}  // namespace tenure::test
