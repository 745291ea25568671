// SPDX-License-Identifier: Apache-2.0
// magazine: the idle blocks that one thread has at hand.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <mutex>
#include <span>

#include "tenure/sdk/pool/size_class.hpp"
#include "tenure/sdk/pool/spin_lock.hpp"

#pragma GCC visibility push(hidden)
namespace tenure::sdk::pool {

inline constexpr std::uint32_t magazine_blocks_max = 16;  // of one class
inline constexpr std::uint64_t magazine_bytes_max = std::uint64_t{32} << 20;

// How many blocks of a class a magazine has slots for. One large block may exceed magazine_bytes_max.
constexpr std::uint32_t magazine_slots(SizeClass size_class) noexcept {
  return static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(magazine_bytes_max / size_class_bytes(size_class), 1, magazine_blocks_max));
}

// Where the slots of each class begin; the last entry is the number of all slots.
inline constexpr auto magazine_first_slot = [] {
  std::array<std::uint16_t, size_class_count + 1> first{};
  for (SizeClass c = 0; c < size_class_count; ++c) {
    first[c + 1] = static_cast<std::uint16_t>(first[c] + magazine_slots(c));
  }
  return first;
}();

// Last in, first out for each class. The thread whose index it has uses it; others lock it to steal, count
// and flush. Every member needs the lock. Its allowance is its share of the pool's budget: a block is
// only pushed within it, so that the hit path touches nothing shared.
template <class Block>
class alignas(64) Magazine {
 public:
  [[nodiscard]] std::unique_lock<SpinLock> lock() noexcept { return std::unique_lock(lock_); }

  // A block of the class with at least this alignment from the top, or null. Leaves the allowance.
  Block* pop(SizeClass size_class, std::uint64_t alignment_bytes) noexcept {
    const std::uint32_t depth = depth_[size_class];
    if (depth == 0) return nullptr;
    Block* block = slots_[magazine_first_slot[size_class] + depth - 1U];
    if (block->alignment_bytes < alignment_bytes) return nullptr;
    depth_[size_class] = static_cast<std::uint8_t>(depth - 1);
    idle_bytes_ -= block->capacity_bytes;
    return block;
  }

  // False when there is no room or no allowance.
  [[nodiscard]] bool push(Block* block) noexcept {
    const std::uint64_t bytes = block->capacity_bytes;
    if (!has_room(block->size_class, bytes) || shortage_bytes(bytes) != 0) return false;
    slots_[magazine_first_slot[block->size_class] + depth_[block->size_class]++] = block;
    idle_bytes_ += bytes;
    return true;
  }

  bool is_full(SizeClass size_class) const noexcept { return free_slots(size_class) == 0; }

  // Whether a block of the class, whose capacity is `bytes`, may come. A class may always keep one;
  // more only while the magazine is within its bytes.
  bool has_room(SizeClass size_class, std::uint64_t bytes) const noexcept {
    if (depth_[size_class] == 0) return true;
    return !is_full(size_class) && idle_bytes_ + bytes <= magazine_bytes_max;
  }

  // How many more blocks may come within slots and bytes.
  std::uint64_t room(SizeClass size_class, std::uint64_t bytes) const noexcept {
    if (idle_bytes_ >= magazine_bytes_max) return 0;
    return std::min<std::uint64_t>(free_slots(size_class), (magazine_bytes_max - idle_bytes_) / bytes);
  }

  // What the allowance lacks for `bytes` more.
  std::uint64_t shortage_bytes(std::uint64_t bytes) const noexcept {
    return idle_bytes_ + bytes > allowance_bytes_ ? idle_bytes_ + bytes - allowance_bytes_ : 0;
  }

  void allow(std::uint64_t bytes) noexcept { allowance_bytes_ += bytes; }

  // Gives up the allowance that no block uses; returns it.
  std::uint64_t take_unused_allowance() noexcept {
    const std::uint64_t unused = allowance_bytes_ - idle_bytes_;
    allowance_bytes_ = idle_bytes_;
    return unused;
  }

  // Takes the oldest blocks of a class, oldest first, together with their allowance. Returns how many.
  std::uint32_t take_oldest(SizeClass size_class, std::span<Block*> out) noexcept {
    const std::uint32_t depth = depth_[size_class];
    const auto taken = static_cast<std::uint32_t>(std::min<std::uint64_t>(depth, out.size()));
    if (taken == 0) return 0;
    const auto first = slots_.begin() + magazine_first_slot[size_class];
    std::copy_n(first, taken, out.begin());
    std::copy(first + taken, first + depth, first);
    depth_[size_class] = static_cast<std::uint8_t>(depth - taken);
    idle_bytes_ -= taken * size_class_bytes(size_class);
    allowance_bytes_ -= taken * size_class_bytes(size_class);
    return taken;
  }

  void count_hit() noexcept { ++hits_; }
  std::uint64_t hits() const noexcept { return hits_; }
  std::uint64_t idle_bytes() const noexcept { return idle_bytes_; }
  std::uint64_t idle_count() const noexcept {
    std::uint64_t count = 0;
    for (const std::uint8_t depth : depth_) count += depth;
    return count;
  }

 private:
  std::uint32_t free_slots(SizeClass size_class) const noexcept {
    return static_cast<std::uint32_t>(magazine_first_slot[size_class + 1] - magazine_first_slot[size_class]) -
           depth_[size_class];
  }

  SpinLock lock_;
  std::uint64_t hits_ = 0;
  std::uint64_t idle_bytes_ = 0;
  std::uint64_t allowance_bytes_ = 0;
  std::array<std::uint8_t, size_class_count> depth_{};
  std::array<Block*, magazine_first_slot[size_class_count]> slots_{};
};

}  // namespace tenure::sdk::pool
#pragma GCC visibility pop
