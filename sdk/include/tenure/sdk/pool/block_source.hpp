// SPDX-License-Identifier: Apache-2.0
// block_source: makes blocks of upstream memory, frees them, and looks after their contents.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <utility>

#include "tenure/sdk/error.hpp"
#include "tenure/sdk/pool/address_sanitizer.hpp"
#include "tenure/sdk/pool/block.hpp"
#include "tenure/sdk/pool/canary.hpp"
#include "tenure/sdk/pool/mode.hpp"
#include "tenure/sdk/pool/poison.hpp"
#include "tenure/sdk/pool/size_class.hpp"
#include "tenure/sdk/pool/upstream.hpp"
#include "tenure/sdk/pool/violation.hpp"

#pragma GCC visibility push(hidden)
namespace tenure::sdk::pool {

// Counts nothing and keeps nothing. In guard mode a block lies between two canaries in its upstream memory.
template <class Block, Upstream U>
class BlockSource {
 public:
  // `fresh` is what a new block is copied from.
  BlockSource(U upstream, Mode mode, ViolationHandler on_violation, const Block& fresh)
      : upstream_(std::move(upstream)), mode_(mode), on_violation_(on_violation), fresh_(fresh) {
    if (!U::is_host_memory && (mode == Mode::poison || mode == Mode::guard)) {
      throw Error(TENURE_UNIMPLEMENTED,
                  "poison and guard pools need memory that the host may write; use count or bypass");
    }
  }

  // A block of the class for `bytes`, or null when the system has no room. `alignment_bytes` is a power of
  // two or 0. Throws what the upstream throws.
  std::unique_ptr<Block> make(SizeClass size_class, std::uint64_t bytes, std::uint64_t alignment_bytes) {
    if (mode_ == Mode::bypass) return make_exact(size_class, bytes, alignment_bytes);
    return make_sized(size_class, size_class_bytes(size_class), alignment_bytes);
  }

  // The same for a block that has the bytes that were asked for and no more, and is not to be kept.
  std::unique_ptr<Block> make_exact(SizeClass size_class, std::uint64_t bytes,
                                    std::uint64_t alignment_bytes) {
    std::unique_ptr<Block> block = make_sized(size_class, std::max<std::uint64_t>(bytes, 1), alignment_bytes);
    if (block != nullptr) block->is_exact = true;
    return block;
  }

  // Frees the block and its bytes.
  void free(Block& block) noexcept {
    if constexpr (U::is_host_memory) permit_access(block.address, block.capacity_bytes);
    upstream_.release(static_cast<unsigned char*>(block.address) - front_bytes(block), upstream_bytes(block),
                      block.alignment_bytes);
    delete &block;
  }

  Mode mode() const noexcept { return mode_; }

  // Puts a block into somebody's hands. In any mode but count, `prepare` follows.
  void hand_out(Block& block) noexcept {
    block.state = BlockState::live;
    if constexpr (U::is_host_memory) permit_access(block.address, block.capacity_bytes);
  }

  // For somebody who asked for `bytes`.
  void prepare(Block& block, std::uint64_t bytes) noexcept {
    if (mode_ == Mode::poison) fill_unwritten(block.address, block.capacity_bytes);
    if (mode_ != Mode::guard) return;
    block.bytes = bytes;
    write_canary(rear_zone(block));
  }

  // Comes before take_back in any mode but count. False when the block is damaged, which the handler was
  // told; it is not to be kept then.
  bool clear(Block& block) noexcept {
    if (mode_ == Mode::poison) fill_released(block.address, block.capacity_bytes);
    if (mode_ != Mode::guard) return true;
    const auto front = find_damage(front_zone(block));
    const auto rear = find_damage(rear_zone(block));
    if (front) {
      report(block, ViolationKind::written_before_block,
             static_cast<std::int64_t>(*front) - static_cast<std::int64_t>(canary_bytes));
    }
    if (rear) {
      report(block, ViolationKind::written_behind_block, static_cast<std::int64_t>(block.bytes + *rear));
    }
    return !front && !rear;
  }

  // Takes a block out of somebody's hands. False when it is exact and therefore not to be kept.
  bool take_back(Block& block) noexcept {
    block.state = BlockState::idle;
    if (block.is_exact) [[unlikely]]
      return false;
    if constexpr (U::is_host_memory) forbid_access(block.address, block.capacity_bytes);
    return true;
  }

  void report(const Block& block, ViolationKind kind, std::int64_t offset_bytes) const noexcept {
    on_violation_({kind, block.address, block.bytes, offset_bytes});
  }

 private:
  std::unique_ptr<Block> make_sized(SizeClass size_class, std::uint64_t capacity_bytes,
                                    std::uint64_t alignment_bytes) {
    std::unique_ptr<Block> block(new (std::nothrow) Block(fresh_));
    if (block == nullptr) return nullptr;
    block->size_class = size_class;
    block->alignment_bytes = std::max(alignment_bytes, size_class_alignment_bytes(size_class));
    block->capacity_bytes = capacity_bytes;
    block->bytes = block->capacity_bytes;
    void* base = upstream_.acquire(upstream_bytes(*block), block->alignment_bytes);
    if (base == nullptr) return nullptr;
    block->address = static_cast<unsigned char*>(base) + front_bytes(*block);
    if (mode_ == Mode::guard) write_canary(front_zone(*block));
    return block;
  }

  // What lies before the block in its upstream memory: whole alignments, so that the block is aligned.
  std::uint64_t front_bytes(const Block& block) const noexcept {
    return mode_ == Mode::guard ? std::max(canary_bytes, block.alignment_bytes) : 0;
  }

  std::uint64_t upstream_bytes(const Block& block) const noexcept {
    return mode_ == Mode::guard ? front_bytes(block) + block.capacity_bytes + canary_bytes
                                : block.capacity_bytes;
  }

  static std::span<unsigned char> front_zone(const Block& block) noexcept {
    return {static_cast<unsigned char*>(block.address) - canary_bytes, canary_bytes};
  }

  // Begins at the byte behind the last one that was asked for.
  static std::span<unsigned char> rear_zone(const Block& block) noexcept {
    return {static_cast<unsigned char*>(block.address) + block.bytes,
            block.capacity_bytes - block.bytes + canary_bytes};
  }

  [[no_unique_address]] U upstream_;
  const Mode mode_;
  const ViolationHandler on_violation_;
  const Block fresh_;
};

}  // namespace tenure::sdk::pool
#pragma GCC visibility pop
