// SPDX-License-Identifier: Apache-2.0
// block: one allocation of a pool, described apart from its bytes.
#pragma once

#include <atomic>
#include <cstdint>

#include "tenure/provider_pool.h"
#include "tenure/sdk/pool/size_class.hpp"

#pragma GCC visibility push(hidden)
namespace tenure::sdk::pool {

enum class BlockState : std::uint8_t {
  live = TENURE_POOL_BLOCK_LIVE,          // in somebody's hands, comes back to the pool
  idle = TENURE_POOL_BLOCK_IDLE,          // kept by the pool
  detached = TENURE_POOL_BLOCK_DETACHED,  // in somebody's hands, freed when it is released
};

// Changed and looked at by who holds the block, loaded by a snapshot at any time.
class BlockStateCell {
 public:
  BlockStateCell(BlockState state) noexcept : value_(state) {}
  BlockStateCell(const BlockStateCell&) noexcept = default;
  BlockStateCell& operator=(BlockState state) noexcept {
    std::atomic_ref(value_).store(state, std::memory_order_relaxed);
    return *this;
  }

  operator BlockState() const noexcept { return value_; }
  BlockState load() const noexcept { return std::atomic_ref(value_).load(std::memory_order_relaxed); }

 private:
  mutable BlockState value_;  // mutable: an atomic_ref needs it so, also for loading
};

// Stands for a provider's own data where a provider has none.
struct NoPayload {};

// Also usable as a provider's tenure_storage: the release token is the block. A storage that no pool
// made has a null `core`, and the provider fills `address` and `bytes` itself. Everything but `payload`
// is the pool's to write.
//
// Kept apart from the bytes, so an overrun cannot damage the pool and device memory works the same.
template <class Core, class Payload>
struct alignas(64) Block {
  void* address = nullptr;
  std::uint64_t bytes = 0;           // usable by whoever holds the block
  std::uint64_t capacity_bytes = 0;  // counted by the statistics
  std::uint64_t alignment_bytes = 0;
  Core* core = nullptr;  // outlives the block
  SizeClass size_class = 0;
  BlockStateCell state = BlockState::live;
  bool is_exact = false;   // smaller than its class: freed when it is released
  bool is_reused = false;  // came back once; only kept in mode trace
  [[no_unique_address]] Payload payload{};

  std::uint64_t stamp = 0;  // when it came to its central list
  Block* newer = nullptr;
  Block* older = nullptr;  // also the next one of a chain that is about to be freed

  std::uint64_t id = 0;  // from 1, never reused by its pool
  Block* roster_next = nullptr;
  Block* roster_previous = nullptr;
};

}  // namespace tenure::sdk::pool
#pragma GCC visibility pop
