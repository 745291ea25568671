// SPDX-License-Identifier: Apache-2.0
// central_list: the idle blocks of one size class that belong to no thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <mutex>
#include <span>

#include "tenure/sdk/pool/spin_lock.hpp"

#pragma GCC visibility push(hidden)
namespace tenure::sdk::pool {

// Last in, first out for reuse; first in, first out for eviction. Takes and gives blocks, never frees.
template <class Block>
class alignas(64) CentralList {
 public:
  // The stamp of an empty list.
  static constexpr std::uint64_t no_stamp = std::numeric_limits<std::uint64_t>::max();

  // Adds the blocks, the last one newest.
  void push(std::span<Block* const> blocks, std::uint64_t stamp) noexcept {
    const std::lock_guard guard(lock_);
    for (Block* block : blocks) insert(block, stamp);
    publish_stamp();
  }

  // Adds the block unless the list has been closed. After true the block is no longer the caller's.
  [[nodiscard]] bool push_unless_closed(Block* block, std::uint64_t stamp) noexcept {
    const std::lock_guard guard(lock_);
    if (is_closed_) return false;
    insert(block, stamp);
    publish_stamp();
    return true;
  }

  void close() noexcept {
    const std::lock_guard guard(lock_);
    is_closed_ = true;
  }

  // Fills `out` from the newest block on with blocks of at least this alignment; stops at the first
  // that has less. Returns how many.
  std::uint64_t take(std::span<Block*> out, std::uint64_t alignment_bytes) noexcept {
    if (oldest_stamp() == no_stamp) return 0;
    const std::lock_guard guard(lock_);
    std::uint64_t taken = 0;
    while (taken < out.size() && newest_ != nullptr && newest_->alignment_bytes >= alignment_bytes) {
      out[taken++] = remove(newest_);
    }
    publish_stamp();
    return taken;
  }

  // Null when empty.
  Block* take_oldest() noexcept {
    const std::lock_guard guard(lock_);
    Block* block = oldest_ != nullptr ? remove(oldest_) : nullptr;
    publish_stamp();
    return block;
  }

  // Of the block that take_oldest would give; may be out of date.
  std::uint64_t oldest_stamp() const noexcept { return oldest_stamp_.load(std::memory_order_relaxed); }

  std::uint64_t count() const noexcept {
    const std::lock_guard guard(lock_);
    return count_;
  }

 private:
  void insert(Block* block, std::uint64_t stamp) noexcept {
    block->stamp = stamp;
    block->older = newest_;
    block->newer = nullptr;
    (newest_ != nullptr ? newest_->newer : oldest_) = block;
    newest_ = block;
    ++count_;
  }

  Block* remove(Block* block) noexcept {
    (block->newer != nullptr ? block->newer->older : newest_) = block->older;
    (block->older != nullptr ? block->older->newer : oldest_) = block->newer;
    --count_;
    return block;
  }

  void publish_stamp() noexcept {
    oldest_stamp_.store(oldest_ != nullptr ? oldest_->stamp : no_stamp, std::memory_order_relaxed);
  }

  mutable SpinLock lock_;
  Block* newest_ = nullptr;
  Block* oldest_ = nullptr;
  std::uint64_t count_ = 0;
  bool is_closed_ = false;
  std::atomic<std::uint64_t> oldest_stamp_{no_stamp};
};

}  // namespace tenure::sdk::pool
#pragma GCC visibility pop
