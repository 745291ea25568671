// SPDX-License-Identifier: Apache-2.0
// pool_snapshot: what a pool holds, block by block, and what happened in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tenure/memory/pool.hpp"

namespace tenure::inline TENURE_BUILD {

enum class PoolBlockState : std::uint8_t {
  live,      // out, and will come back
  idle,      // kept by the pool
  detached,  // extracted for good, and no longer reserved
};

struct PoolBlock {
  std::uint64_t id = 0;       // never reused within one pool
  std::uint64_t address = 0;  // tells blocks apart; it is not to be followed
  std::uint64_t capacity_bytes = 0;
  std::uint64_t alignment_bytes = 0;
  PoolBlockState state = PoolBlockState::live;
};

enum class PoolEventKind : std::uint8_t {
  acquire,
  release,
  detach,         // extracted for good
  give_back,      // a detached block is live again; its release follows
  free_detached,  // a detached block ended
  trim,
  thread_exit,  // what the thread had at hand went to all
  allocate,     // a new block from the system
  evict,        // an idle block has to go; its free follows
  free,         // a block went back to the system
};

enum class PoolEventOutcome : std::uint8_t {
  done,
  hit,      // an idle block was acquired
  miss,     // a new one
  refused,  // there was no memory
};

struct PoolEvent {
  std::uint64_t sequence = 0;         // from 1, without a gap
  std::uint64_t time_ns = 0;          // since the pool was made
  std::uint64_t block = 0;            // id; 0: none
  std::uint64_t capacity_bytes = 0;   // of the block
  std::uint64_t bytes = 0;            // that acquire asked for; that trim left idle at most
  std::uint64_t alignment_bytes = 0;  // that acquire asked for
  std::uint32_t thread_index = 0;     // of acquire, release and thread_exit
  PoolEventKind kind = PoolEventKind::acquire;
  PoolEventOutcome outcome = PoolEventOutcome::done;
};

// Of one moment if no other thread used the pool meanwhile; live and idle add up to reserved in any case.
struct PoolSnapshot {
  std::string domain{};
  PoolMode mode = PoolMode::count;
  std::uint64_t retained_bytes_max = 0;
  PoolStatistics statistics{};
  std::vector<PoolBlock> blocks{};     // by address
  std::vector<PoolEvent> events{};     // oldest first; empty unless the mode is trace
  std::uint64_t dropped_events = 0;    // that came before those and were not kept
  std::uint64_t trace_events_max = 0;  // as many are kept
};

// The words of the JSON document, those of the enumerators. "unknown" for a number that has no name.
TENURE_API std::string_view pool_mode_name(PoolMode mode) noexcept;
TENURE_API std::string_view pool_block_state_name(PoolBlockState state) noexcept;
TENURE_API std::string_view pool_event_kind_name(PoolEventKind kind) noexcept;
TENURE_API std::string_view pool_event_outcome_name(PoolEventOutcome outcome) noexcept;

// What the document says it is. The version changes when a reader of the old one would be misled.
inline constexpr std::string_view pool_snapshot_format = "tenure-pool-snapshot";
inline constexpr std::uint64_t pool_snapshot_version = 1;

// One JSON document, in one line.
TENURE_API std::string to_json(const PoolSnapshot& snapshot);

}  // namespace tenure::inline TENURE_BUILD
