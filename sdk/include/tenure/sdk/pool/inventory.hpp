// SPDX-License-Identifier: Apache-2.0
// inventory: the idle blocks of a pool, in magazines and central lists, within a budget.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <span>

#include "tenure/sdk/pool/central_list.hpp"
#include "tenure/sdk/pool/magazine_rack.hpp"
#include "tenure/sdk/pool/retention_budget.hpp"
#include "tenure/sdk/pool/size_class.hpp"

#pragma GCC visibility push(hidden)
namespace tenure::sdk::pool {

// From this size blocks are taken out of another thread's magazine before the system is asked: touching
// that much fresh memory costs more than stopping that thread for a moment.
inline constexpr std::uint64_t steal_bytes_min = std::uint64_t{64} << 10;

// Keeps and finds blocks; never asks the system and never frees one: who evicts gets the block. Locks
// are taken in the order rack, magazine, central list. The budget covers the blocks of the central lists
// and the allowances of the magazines.
template <class Block>
class Inventory {
 public:
  struct Content {
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;
    std::uint64_t hits = 0;
  };

  explicit Inventory(std::uint64_t limit_bytes) : budget_(limit_bytes) {}

  std::uint64_t limit_bytes() const noexcept { return budget_.limit_bytes(); }

  // An idle block of the class, or null.
  Block* take(std::uint32_t thread_index, SizeClass size_class) noexcept {
    if (Magazine<Block>* magazine = magazines_.find(thread_index)) {
      const auto lock = magazine->own();
      if (Block* block = magazine->pop(size_class)) {
        magazine->count_hit();
        return block;
      }
    }
    return take_shared(thread_index, size_class, 0);
  }
  // The same with at least this alignment.
  Block* take_aligned(std::uint32_t thread_index, SizeClass size_class,
                      std::uint64_t alignment_bytes) noexcept {
    if (Magazine<Block>* magazine = magazines_.find(thread_index)) {
      const auto lock = magazine->own();
      if (Block* block = magazine->pop_aligned(size_class, alignment_bytes)) {
        magazine->count_hit();
        return block;
      }
    }
    return take_shared(thread_index, size_class, alignment_bytes);
  }

  // Keeps the block in the thread's magazine if it fits as it is. After true, neither the block nor the
  // inventory may be touched: another thread may have taken the one and ended the other.
  [[nodiscard]] bool keep_at_hand(std::uint32_t thread_index, Block* block) noexcept {
    Magazine<Block>* magazine = magazines_.find(thread_index);
    if (magazine == nullptr) return false;
    const auto lock = magazine->own();
    return magazine->push(block);
  }

  // Keeps the block, making room at hand by moving others to the central lists. False when the budget is
  // used up by idle blocks or the inventory is closed. After true, the same holds as for keep_at_hand.
  [[nodiscard]] bool keep(std::uint32_t thread_index, Block* block) noexcept {
    if (Magazine<Block>* magazine = magazines_.find_or_make(thread_index)) {
      const auto lock = magazine->own();
      if (is_closed_.load(std::memory_order_relaxed)) return false;
      if (magazine->is_full(block->size_class)) move_half_to_central(*magazine, block->size_class);
      if (extend_allowance(*magazine, block->size_class)) return magazine->push(block);
    }
    return keep_central(block);
  }

  // Takes the block that has been in the central lists for longest; when they are empty, everything in
  // the magazines first goes there. Null when nothing is idle.
  Block* take_oldest() noexcept {
    if (Block* block = take_oldest_central()) return block;
    gather();
    return take_oldest_central();
  }

  // Takes an idle block of the class or of a larger one up to `bytes_max`, wherever it is.
  Block* take_similar(SizeClass size_class, std::uint64_t bytes_max, std::uint64_t alignment_bytes) noexcept {
    gather();
    for (; size_class < size_class_count && size_class_bytes(size_class) <= bytes_max; ++size_class) {
      if (Block* block = take_central(size_class, alignment_bytes)) {
        central_hits_.fetch_add(1, std::memory_order_relaxed);
        return block;
      }
    }
    return nullptr;
  }

  // Moves the content of one magazine to the central lists.
  void flush(std::uint32_t thread_index) noexcept {
    Magazine<Block>* magazine = magazines_.find(thread_index);
    if (magazine == nullptr) return;
    const auto lock = magazine->lock();
    move_to_central(*magazine);
  }

  // From now on nothing is kept; `consume` gets every idle block.
  template <class Consume>
  void close(const Consume& consume) noexcept {
    is_closed_.store(true, std::memory_order_relaxed);
    for (CentralList<Block>& list : central_) list.close();
    gather();
    for (CentralList<Block>& list : central_) {
      while (Block* block = list.take_oldest()) consume(block);
    }
  }

  // Exact while no other thread uses the pool.
  Content content() const noexcept {
    Content sum{.hits = central_hits_.load(std::memory_order_relaxed)};
    magazines_.for_each([&](const Magazine<Block>& magazine) {
      for (SizeClass c = 0; c < size_class_count; ++c) {
        const std::uint64_t count = magazine.depth(c);
        sum.count += count;
        sum.bytes += count * size_class_bytes(c);
      }
      sum.hits += magazine.hits();
      return true;
    });
    for (SizeClass c = 0; c < size_class_count; ++c) {
      const std::uint64_t count = central_[c].count();
      sum.count += count;
      sum.bytes += count * size_class_bytes(c);
    }
    return sum;
  }

 private:
  // How many blocks of a class go from one place to another at once.
  static constexpr std::uint32_t batch_blocks_max = magazine_blocks_max / 2;
  static constexpr std::uint32_t batch_blocks(SizeClass size_class) noexcept {
    return std::max(1U, magazine_slots(size_class) / 2);
  }

  [[gnu::noinline]] Block* take_shared(std::uint32_t thread_index, SizeClass size_class,
                                       std::uint64_t alignment_bytes) noexcept {
    if (budget_.limit_bytes() == 0) return nullptr;
    Block* block = refill(thread_index, size_class, alignment_bytes);
    if (block == nullptr && size_class_bytes(size_class) >= steal_bytes_min && steal(size_class)) {
      block = refill(thread_index, size_class, alignment_bytes);
    }
    if (block != nullptr) central_hits_.fetch_add(1, std::memory_order_relaxed);
    return block;
  }

  // One block from the central list for the caller, some more for its magazine.
  Block* refill(std::uint32_t thread_index, SizeClass size_class, std::uint64_t alignment_bytes) noexcept {
    Magazine<Block>* magazine = magazines_.find_or_make(thread_index);
    if (magazine == nullptr) return take_central(size_class, alignment_bytes);

    const auto lock = magazine->own();
    const std::uint64_t bytes = size_class_bytes(size_class);
    const std::uint32_t unused = magazine->unused(size_class);
    const std::uint32_t room = unused + magazine->allowable(size_class);
    std::array<Block*, batch_blocks_max> batch;
    const std::uint64_t taken = central_[size_class].take(
        std::span(batch.data(), std::min(room + 1, batch_blocks(size_class))), alignment_bytes);
    if (taken == 0) return nullptr;

    // The others bring their share of the budget along, where the magazine has not got it.
    const auto others = static_cast<std::uint32_t>(taken - 1);
    const std::uint32_t covered = std::min(others, unused);
    magazine->allow(size_class, others - covered);
    budget_.give((covered + 1) * bytes);
    std::uint64_t left = taken;
    while (left > 1 && magazine->push(batch[left - 1])) --left;
    return batch[0];
  }

  Block* take_central(SizeClass size_class, std::uint64_t alignment_bytes) noexcept {
    Block* block = nullptr;
    if (central_[size_class].take({&block, 1}, alignment_bytes) == 0) return nullptr;
    budget_.give(block->capacity_bytes);
    return block;
  }

  Block* take_oldest_central() noexcept {
    for (;;) {
      const auto oldest =
          std::min_element(central_.begin(), central_.end(),
                           [](const auto& a, const auto& b) { return a.oldest_stamp() < b.oldest_stamp(); });
      if (oldest->oldest_stamp() == CentralList<Block>::no_stamp) return nullptr;
      if (Block* block = oldest->take_oldest()) {
        budget_.give(block->capacity_bytes);
        return block;
      }
    }
  }

  // Moves blocks of the class from one magazine that has some to the central list. False when none has.
  bool steal(SizeClass size_class) noexcept {
    bool found = false;
    magazines_.for_each([&](Magazine<Block>& magazine) {
      if (magazine.depth(size_class) == 0) return true;
      const auto lock = magazine.lock();
      found = move_half_to_central(magazine, size_class);
      return !found;
    });
    return found;
  }

  bool keep_central(Block* block) noexcept {
    const std::uint64_t bytes = block->capacity_bytes;
    if (!budget_.try_take(bytes)) {
      give_unused_allowances();
      if (!budget_.try_take(bytes)) return false;
    }
    if (central_[block->size_class].push_unless_closed(block, next_stamp())) return true;
    budget_.give(bytes);
    return false;
  }

  // Takes more than is needed while there is plenty, so that a thread that only releases comes rarely.
  bool extend_allowance(Magazine<Block>& magazine, SizeClass size_class) noexcept {
    if (magazine.unused(size_class) != 0) return true;
    if (magazine.allowable(size_class) == 0) budget_.give(magazine.take_unused_allowance());
    const std::uint32_t step = std::min(magazine.allowable(size_class), batch_blocks(size_class));
    if (step == 0) return false;
    for (const std::uint32_t blocks : {step, 1U}) {
      if (!budget_.try_take(blocks * size_class_bytes(size_class))) continue;
      magazine.allow(size_class, blocks);
      return true;
    }
    return false;
  }

  void give_unused_allowances() noexcept {
    magazines_.for_each([&](Magazine<Block>& magazine) {
      if (!magazine.has_unused_allowance()) return true;
      const auto lock = magazine.lock();
      budget_.give(magazine.take_unused_allowance());
      return true;
    });
  }

  void gather() noexcept {
    magazines_.for_each([&](Magazine<Block>& magazine) {
      if (magazine.allowed_bytes() == 0) return true;
      const auto lock = magazine.lock();
      move_to_central(magazine);
      return true;
    });
  }

  void move_to_central(Magazine<Block>& magazine) noexcept {
    for (SizeClass c = 0; c < size_class_count; ++c) {
      move_to_central(magazine, c, magazine_blocks_max);
    }
    budget_.give(magazine.take_unused_allowance());
  }

  bool move_half_to_central(Magazine<Block>& magazine, SizeClass size_class) noexcept {
    return move_to_central(magazine, size_class, batch_blocks(size_class));
  }

  // False when there was nothing to move.
  bool move_to_central(Magazine<Block>& magazine, SizeClass size_class, std::uint32_t count) noexcept {
    std::array<Block*, magazine_blocks_max> blocks;
    const std::uint32_t taken = magazine.take_oldest(size_class, std::span(blocks.data(), count));
    if (taken != 0) central_[size_class].push(std::span(blocks.data(), taken), next_stamp());
    return taken != 0;
  }

  std::uint64_t next_stamp() noexcept { return clock_.fetch_add(1, std::memory_order_relaxed); }

  RetentionBudget budget_;
  MagazineRack<Block> magazines_;
  std::array<CentralList<Block>, size_class_count> central_;
  std::atomic<bool> is_closed_{false};
  std::atomic<std::uint64_t> clock_{0};
  std::atomic<std::uint64_t> central_hits_{0};
};

}  // namespace tenure::sdk::pool
#pragma GCC visibility pop
