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

// Where the slots of each class begin among all slots of a magazine. The slot before the first one of a class
// is always empty.
inline constexpr auto magazine_first_slots = [] {
  std::array<std::uint32_t, size_class_count + 1> first_slots{};
  std::uint32_t next = 1;
  for (SizeClass c = 0; c < size_class_count; ++c) {
    first_slots[c] = next;
    next += magazine_slots(c) + 1;
  }
  first_slots.back() = next;
  return first_slots;
}();

// Last in, first out for each class. The thread whose index it has owns it; others lock it to steal and
// flush. Every member needs the lock, except that the numbers may be read without it, when they may be out of
// date. A class has an allowance, in blocks, which is its share of the pool's budget: a block is only pushed
// within it, so that the hit path touches nothing shared.
template <class Block>
class alignas(64) Magazine {
 public:
  Magazine() noexcept {
    for (SizeClass c = 0; c < size_class_count; ++c) {
      shelves_[c].top.store(first_slot(c), std::memory_order_relaxed);
      shelves_[c].end.store(first_slot(c), std::memory_order_relaxed);
    }
  }

  // For the thread that owns it, and for all others.
  [[nodiscard]] BiasedLock::Owner own() noexcept { return BiasedLock::Owner(lock_); }
  [[nodiscard]] std::unique_lock<BiasedLock> lock() noexcept { return std::unique_lock(lock_); }

  // The newest block of the class, or null. Leaves the allowance.
  Block* pop(SizeClass size_class) noexcept {
    Shelf& shelf = shelves_[size_class];
    Block** const top = shelf.top.load(std::memory_order_relaxed);
    Block* const block = top[-1];
    if (block != nullptr) shelf.top.store(top - 1, std::memory_order_relaxed);
    return block;
  }
  // The same, or null when that block has less than this alignment.
  Block* pop_aligned(SizeClass size_class, std::uint64_t alignment_bytes) noexcept {
    const Block* const newest = shelves_[size_class].top.load(std::memory_order_relaxed)[-1];
    return newest != nullptr && newest->alignment_bytes >= alignment_bytes ? pop(size_class) : nullptr;
  }

  // False when the allowance is used up.
  [[nodiscard]] bool push(Block* block) noexcept {
    Shelf& shelf = shelves_[block->size_class];
    Block** const top = shelf.top.load(std::memory_order_relaxed);
    if (top == shelf.end.load(std::memory_order_relaxed)) return false;
    *top = block;
    shelf.top.store(top + 1, std::memory_order_relaxed);
    return true;
  }

  bool is_full(SizeClass size_class) const noexcept {
    return depth(size_class) == magazine_slots(size_class);
  }
  // How many more blocks of the class the allowance covers.
  std::uint32_t unused(SizeClass size_class) const noexcept {
    const Shelf& shelf = shelves_[size_class];
    const auto unused = shelf.end.load(std::memory_order_relaxed) - shelf.top.load(std::memory_order_relaxed);
    return static_cast<std::uint32_t>(std::max<std::ptrdiff_t>(unused, 0));
  }
  // By how many blocks the allowance of the class may grow: all allowances together are for at most
  // magazine_bytes_max, but every class may have one for a single block.
  std::uint32_t allowable(SizeClass size_class) const noexcept {
    const std::uint32_t allowed = depth(size_class) + unused(size_class);
    const std::uint64_t left_bytes = magazine_bytes_max - std::min(magazine_bytes_max, allowed_bytes());
    const std::uint64_t fitting = std::min<std::uint64_t>(magazine_slots(size_class) - allowed,
                                                          left_bytes / size_class_bytes(size_class));
    return std::max(static_cast<std::uint32_t>(fitting), allowed == 0 ? 1U : 0U);
  }
  void allow(SizeClass size_class, std::uint32_t blocks) noexcept {
    auto& end = shelves_[size_class].end;
    end.store(end.load(std::memory_order_relaxed) + blocks, std::memory_order_relaxed);
    set_allowed(allowed_bytes() + blocks * size_class_bytes(size_class));
  }
  std::uint64_t allowed_bytes() const noexcept { return allowed_bytes_.load(std::memory_order_relaxed); }
  bool has_unused_allowance() const noexcept {
    for (SizeClass c = 0; c < size_class_count; ++c) {
      if (unused(c) != 0) return true;
    }
    return false;
  }
  // Gives it up; returns its bytes.
  std::uint64_t take_unused_allowance() noexcept {
    std::uint64_t bytes = 0;
    for (SizeClass c = 0; c < size_class_count; ++c) {
      bytes += unused(c) * size_class_bytes(c);
      Shelf& shelf = shelves_[c];
      shelf.end.store(shelf.top.load(std::memory_order_relaxed), std::memory_order_relaxed);
    }
    set_allowed(allowed_bytes() - bytes);
    return bytes;
  }

  // Takes the oldest blocks of a class, oldest first, together with their allowance. Returns how many.
  std::uint32_t take_oldest(SizeClass size_class, std::span<Block*> out) noexcept {
    const auto taken = static_cast<std::uint32_t>(std::min<std::uint64_t>(depth(size_class), out.size()));
    if (taken == 0) return 0;
    Shelf& shelf = shelves_[size_class];
    Block** const first = first_slot(size_class);
    Block** const top = shelf.top.load(std::memory_order_relaxed);
    std::copy_n(first, taken, out.begin());
    std::copy(first + taken, top, first);
    shelf.top.store(top - taken, std::memory_order_relaxed);
    shelf.end.store(shelf.end.load(std::memory_order_relaxed) - taken, std::memory_order_relaxed);
    set_allowed(allowed_bytes() - taken * size_class_bytes(size_class));
    return taken;
  }

  void count_hit() noexcept { hits_.store(hits() + 1, std::memory_order_relaxed); }
  std::uint64_t hits() const noexcept { return hits_.load(std::memory_order_relaxed); }
  // How many blocks of the class are here.
  std::uint32_t depth(SizeClass size_class) const noexcept {
    const Block* const* const top = shelves_[size_class].top.load(std::memory_order_relaxed);
    return static_cast<std::uint32_t>(top - first_slot(size_class));
  }

 private:
  struct Shelf {
    std::atomic<Block**> top;  // behind the newest block
    std::atomic<Block**> end;  // of the allowance
  };

  Block** first_slot(SizeClass size_class) noexcept {
    return slots_.data() + magazine_first_slots[size_class];
  }
  const Block* const* first_slot(SizeClass size_class) const noexcept {
    return slots_.data() + magazine_first_slots[size_class];
  }
  void set_allowed(std::uint64_t bytes) noexcept { allowed_bytes_.store(bytes, std::memory_order_relaxed); }

  BiasedLock lock_;
  std::atomic<std::uint64_t> hits_{0};
  std::atomic<std::uint64_t> allowed_bytes_{0};
  std::array<Shelf, size_class_count> shelves_;
  std::array<Block*, magazine_first_slots.back()> slots_{};
};

}  // namespace tenure::sdk::pool
#pragma GCC visibility pop
