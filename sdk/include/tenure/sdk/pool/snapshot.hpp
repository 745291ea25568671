// SPDX-License-Identifier: Apache-2.0
// snapshot: the blocks and the last events of a pool, as values.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "tenure/abi/struct_head.hpp"
#include "tenure/provider_pool.h"

#pragma GCC visibility push(hidden)
namespace tenure::sdk::pool {

// The members mean what they mean in tenure_pool_snapshot.
struct Snapshot {
  std::vector<tenure_pool_block> blocks;
  std::vector<tenure_pool_event> events;
  std::uint64_t dropped_events = 0;
  std::uint64_t retained_bytes_max = 0;
  std::uint64_t trace_events_max = 0;
  std::uint32_t mode = TENURE_POOL_COUNT;
};

// A snapshot behind the struct that is handed across; its address is that of `table`.
class OwnedSnapshot {
 public:
  explicit OwnedSnapshot(Snapshot content)
      : table_(abi::make_struct<tenure_pool_snapshot>()), content_(std::move(content)) {
    table_.blocks = content_.blocks.data();
    table_.events = content_.events.data();
    table_.block_count = content_.blocks.size();
    table_.event_count = content_.events.size();
    table_.dropped_events = content_.dropped_events;
    table_.retained_bytes_max = content_.retained_bytes_max;
    table_.trace_events_max = content_.trace_events_max;
    table_.mode = content_.mode;
    table_.block_bytes = sizeof(tenure_pool_block);
    table_.event_bytes = sizeof(tenure_pool_event);
  }
  OwnedSnapshot(const OwnedSnapshot&) = delete;
  OwnedSnapshot& operator=(const OwnedSnapshot&) = delete;

  // Ownership goes to whoever holds the table, until `destroy`.
  static const tenure_pool_snapshot* give(Snapshot content) {
    return &(new OwnedSnapshot(std::move(content)))->table_;
  }
  // Null does nothing.
  static void destroy(const tenure_pool_snapshot* table) noexcept {
    delete reinterpret_cast<const OwnedSnapshot*>(table);
  }

 private:
  tenure_pool_snapshot table_;  // first
  const Snapshot content_;
};

}  // namespace tenure::sdk::pool
#pragma GCC visibility pop
