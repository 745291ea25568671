// SPDX-License-Identifier: Apache-2.0
// magazine: the idle blocks that one thread has at hand.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <span>

#include "tenure/sdk/pool/biased_lock.hpp"
#include "tenure/sdk/pool/size_class.hpp"

#pragma GCC visibility push(hidden)
namespace tenure::sdk::pool {

inline constexpr std::uint32_t magazine_blocks_max = 16;  // of one class
inline constexpr std::uint64_t magazine_bytes_max = std::uint64_t{32} << 20;

// How many blocks of a class a magazine has slots for. One large block may exceed magazine_bytes_max.
constexpr std::uint32_t magazine_slots(SizeClass size_class) noexcept {
  return static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(magazine_bytes_max / size_class_bytes(size_class), 1, magazine_blocks_max));
}

// The slots of one class among all slots of a magazine.
struct MagazineShelf {
  std::uint16_t first_slot;
  std::uint16_t slots;
};

inline constexpr auto magazine_shelves = [] {
  std::array<MagazineShelf, size_class_count> shelves{};
  std::uint16_t first_slot = 0;
  for (SizeClass c = 0; c < size_class_count; ++c) {
    shelves[c] = {first_slot, static_cast<std::uint16_t>(magazine_slots(c))};
    first_slot = static_cast<std::uint16_t>(first_slot + magazine_slots(c));
  }
  return shelves;
}();

inline constexpr std::uint32_t magazine_slots_in_all =
    magazine_shelves.back().first_slot + std::uint32_t{magazine_shelves.back().slots};

// Last in, first out for each class. The thread whose index it has owns it; others lock it to steal and
// flush. Every member needs the lock, except that the numbers may be read without it. Its allowance is its
// share of the pool's budget: a block is only pushed within it, so that the hit path touches nothing shared.
template <class Block>
class alignas(64) Magazine {
 public:
  // For the thread that owns it, and for all others.
  [[nodiscard]] BiasedLock::Owner own() noexcept { return BiasedLock::Owner(lock_); }
  [[nodiscard]] std::unique_lock<BiasedLock> lock() noexcept { return std::unique_lock(lock_); }

  // A block of the class with at least this alignment from the top, or null. Leaves the allowance.
  Block* pop(SizeClass size_class, std::uint64_t alignment_bytes) noexcept {
    const std::uint32_t depth = this->depth(size_class);
    if (depth == 0) return nullptr;
    Block* block = slots_[magazine_shelves[size_class].first_slot + depth - 1U];
    if (block->alignment_bytes < alignment_bytes) return nullptr;
    set_depth(size_class, depth - 1);
    set(idle_bytes_, idle_bytes() - block->capacity_bytes);
    return block;
  }

  // False when there is no room or no allowance.
  [[nodiscard]] bool push(Block* block) noexcept {
    const SizeClass size_class = block->size_class;
    const MagazineShelf shelf = magazine_shelves[size_class];
    const std::uint32_t depth = this->depth(size_class);
    const std::uint64_t bytes = idle_bytes() + block->capacity_bytes;
    if (!fits(shelf, depth, bytes) || bytes > allowance_bytes_.load(std::memory_order_relaxed)) return false;
    slots_[shelf.first_slot + depth] = block;
    set_depth(size_class, depth + 1);
    set(idle_bytes_, bytes);
    return true;
  }

  bool is_full(SizeClass size_class) const noexcept { return free_slots(size_class) == 0; }

  // Whether a block of the class, whose capacity is `bytes`, may come. A class may always keep one;
  // more only while the magazine is within its bytes.
  bool has_room(SizeClass size_class, std::uint64_t bytes) const noexcept {
    return fits(magazine_shelves[size_class], depth(size_class), idle_bytes() + bytes);
  }

  // How many more blocks may come within slots and bytes.
  std::uint64_t room(SizeClass size_class, std::uint64_t bytes) const noexcept {
    if (idle_bytes() >= magazine_bytes_max) return 0;
    return std::min<std::uint64_t>(free_slots(size_class), (magazine_bytes_max - idle_bytes()) / bytes);
  }

  // What the allowance lacks for `bytes` more.
  std::uint64_t shortage_bytes(std::uint64_t bytes) const noexcept {
    const std::uint64_t wanted = idle_bytes() + bytes;
    const std::uint64_t allowed = allowance_bytes_.load(std::memory_order_relaxed);
    return wanted > allowed ? wanted - allowed : 0;
  }

  void allow(std::uint64_t bytes) noexcept {
    set(allowance_bytes_, allowance_bytes_.load(std::memory_order_relaxed) + bytes);
  }

  // The allowance that no block uses. Without the lock it may be out of date.
  std::uint64_t unused_allowance() const noexcept {
    const std::uint64_t idle = idle_bytes();
    const std::uint64_t allowed = allowance_bytes_.load(std::memory_order_relaxed);
    return allowed > idle ? allowed - idle : 0;
  }

  // Gives it up; returns it.
  std::uint64_t take_unused_allowance() noexcept {
    const std::uint64_t unused = unused_allowance();
    set(allowance_bytes_, idle_bytes());
    return unused;
  }

  // Takes the oldest blocks of a class, oldest first, together with their allowance. Returns how many.
  std::uint32_t take_oldest(SizeClass size_class, std::span<Block*> out) noexcept {
    const std::uint32_t depth = this->depth(size_class);
    const auto taken = static_cast<std::uint32_t>(std::min<std::uint64_t>(depth, out.size()));
    if (taken == 0) return 0;
    const auto first = slots_.begin() + magazine_shelves[size_class].first_slot;
    std::copy_n(first, taken, out.begin());
    std::copy(first + taken, first + depth, first);
    const std::uint64_t taken_bytes = taken * size_class_bytes(size_class);
    const std::uint64_t unused = unused_allowance();
    set_depth(size_class, depth - taken);
    set(idle_bytes_, idle_bytes() - taken_bytes);
    set(allowance_bytes_, idle_bytes() + unused);
    return taken;
  }

  void count_hit() noexcept { set(hits_, hits() + 1); }
  std::uint64_t hits() const noexcept { return hits_.load(std::memory_order_relaxed); }
  std::uint64_t idle_bytes() const noexcept { return idle_bytes_.load(std::memory_order_relaxed); }
  std::uint64_t idle_count() const noexcept {
    std::uint64_t count = 0;
    for (SizeClass c = 0; c < size_class_count; ++c) count += depth(c);
    return count;
  }
  // How many blocks of the class are here.
  std::uint32_t depth(SizeClass size_class) const noexcept {
    return depth_[size_class].load(std::memory_order_relaxed);
  }

 private:
  static bool fits(MagazineShelf shelf, std::uint32_t depth, std::uint64_t bytes) noexcept {
    return depth == 0 || (depth < shelf.slots && bytes <= magazine_bytes_max);
  }
  std::uint32_t free_slots(SizeClass size_class) const noexcept {
    return magazine_shelves[size_class].slots - depth(size_class);
  }
  void set_depth(SizeClass size_class, std::uint32_t depth) noexcept {
    depth_[size_class].store(static_cast<std::uint8_t>(depth), std::memory_order_relaxed);
  }
  static void set(std::atomic<std::uint64_t>& number, std::uint64_t value) noexcept {
    number.store(value, std::memory_order_relaxed);
  }

  BiasedLock lock_;
  std::atomic<std::uint64_t> hits_{0};
  std::atomic<std::uint64_t> idle_bytes_{0};
  std::atomic<std::uint64_t> allowance_bytes_{0};
  std::array<std::atomic<std::uint8_t>, size_class_count> depth_{};
  std::array<Block*, magazine_slots_in_all> slots_{};
};

}  // namespace tenure::sdk::pool
#pragma GCC visibility pop
