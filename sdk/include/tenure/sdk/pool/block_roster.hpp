// SPDX-License-Identifier: Apache-2.0
// block_roster: all blocks of a pool, wherever they are.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "tenure/provider_pool.h"
#include "tenure/sdk/pool/block.hpp"

#pragma GCC visibility push(hidden)
namespace tenure::sdk::pool {

// Touched where blocks are made and freed, never where an idle one is handed out or kept.
template <class Block>
class BlockRoster {
 public:
  // Gives the block its id.
  void add(Block& block) noexcept {
    const std::lock_guard lock(mutex_);
    block.id = ++last_id_;
    block.roster_next = first_;
    block.roster_previous = nullptr;
    if (first_ != nullptr) first_->roster_previous = &block;
    first_ = &block;
    ++count_;
  }

  void remove(Block& block) noexcept {
    const std::lock_guard lock(mutex_);
    (block.roster_previous != nullptr ? block.roster_previous->roster_next : first_) = block.roster_next;
    if (block.roster_next != nullptr) block.roster_next->roster_previous = block.roster_previous;
    --count_;
  }

  // The newest first.
  std::vector<tenure_pool_block> content() const {
    std::vector<tenure_pool_block> out;
    const std::lock_guard lock(mutex_);
    out.reserve(count_);
    for (const Block* block = first_; block != nullptr; block = block->roster_next) {
      out.push_back({.id = block->id,
                     .address = reinterpret_cast<std::uintptr_t>(block->address),
                     .capacity_bytes = block->capacity_bytes,
                     .alignment_bytes = block->alignment_bytes,
                     .state = static_cast<std::uint32_t>(block->state.load()),
                     .zero = 0});
    }
    return out;
  }

 private:
  mutable std::mutex mutex_;
  Block* first_ = nullptr;
  std::uint64_t count_ = 0;
  std::uint64_t last_id_ = 0;
};

}  // namespace tenure::sdk::pool
#pragma GCC visibility pop
