// SPDX-License-Identifier: Apache-2.0
// pool: recycled storage over an upstream.
#pragma once

#include <cstdint>
#include <utility>

#include "tenure/sdk/pool/pool_core.hpp"

#pragma GCC visibility push(hidden)
namespace tenure::sdk::pool {

// Move-only handle. Payload is the provider's own part of each block; what the pool does not touch.
//
//   Pool<HostUpstream, HostThreadIndex> pool(HostUpstream{}, HostThreadIndex{host}, {});
//   auto& block = pool.acquire(32768, 0);
//   decltype(pool)::release(block);
//
// A hit in the thread's own magazine and a release into it make no atomic exchange and no system call; they
// search nothing and touch nothing that two threads share. Where a magazine is empty or full, or the idle
// bytes near their limit, blocks move between magazines under locks, and stopping another thread for that
// costs a system call.
template <Upstream U, ThreadIndexSource T, class Payload = NoPayload>
class Pool {
 public:
  using Core = PoolCore<U, T, Payload>;
  using Block = typename Core::Block;

  // A new block's payload is a copy of `payload`; from then on it stays with the block as the provider
  // leaves it. Throws UNIMPLEMENTED for a mode that the upstream's memory does not allow.
  Pool(U upstream, T thread_index, const PoolOptions& options, const Payload& payload = {})
      : core_(new Core(std::move(upstream), std::move(thread_index), options, payload)) {}
  Pool(Pool&& other) noexcept : core_(std::exchange(other.core_, nullptr)) {}
  Pool& operator=(Pool&& other) noexcept {
    std::swap(core_, other.core_);
    return *this;
  }
  // Frees what is idle. Blocks that are out stay valid and are freed by their release.
  ~Pool() {
    if (core_ != nullptr) core_->close();
  }

  // At least `bytes`, aligned to `alignment_bytes` (a power of two, or 0), 64, and from 256 bytes up 256.
  // Contents are unspecified. Owner: the caller, until release. May block in the upstream. Throws
  // RESOURCE_EXHAUSTED with the pool's statistics after the pool has freed everything idle in vain,
  // INVALID_ARGUMENT for an alignment that is none, and what the upstream throws.
  [[nodiscard]] Block& acquire(std::uint64_t bytes, std::uint64_t alignment_bytes) {
    return core_->acquire(bytes, alignment_bytes);
  }
  // The same for a caller that has asked for the index of its thread.
  [[nodiscard]] Block& acquire(std::uint64_t bytes, std::uint64_t alignment_bytes,
                               std::uint32_t thread_index) {
    return core_->acquire(bytes, alignment_bytes, thread_index);
  }

  // Consumes a block of any pool of this type. Its pool keeps it, if it lives and has room; otherwise the
  // block is freed.
  static void release(Block& block) noexcept { Core::release(block); }
  // The same for a caller that has asked for the index of its thread.
  static void release(Block& block, std::uint32_t thread_index) noexcept {
    Core::release(block, thread_index);
  }

  // From now on the block belongs to no pool: its release frees it. Does nothing to a block without a
  // pool or one that is detached already.
  static void detach(Block& block) noexcept { Core::detach(block); }

  // Consumes a block of this pool, detached or not, and keeps it like a released one. INVALID_ARGUMENT
  // for any other block, which stays the caller's.
  void give_back(Block& block) { core_->give_back(block); }

  Statistics statistics() const noexcept { return core_->statistics(); }

  // All blocks, also those that are out, and in mode trace the last events. Of one moment only while no other
  // thread uses the pool. Throws std::bad_alloc.
  Snapshot snapshot() const { return core_->snapshot(); }

  // Frees idle blocks, those unused for longest first, until at most `retained_bytes` are idle. Returns
  // the bytes freed.
  std::uint64_t trim(std::uint64_t retained_bytes) noexcept {
    return evict(take_excess(retained_bytes, nullptr));
  }

  // The two halves of trim, for somebody who trims several pools under a lock: what one pool has too much
  // is put before a chain, and the chain is freed when the lock is gone, also after its pools were.
  [[nodiscard]] Block* take_excess(std::uint64_t retained_bytes, Block* chain) noexcept {
    return core_->take_excess(retained_bytes, chain);
  }
  static std::uint64_t evict(Block* chain) noexcept { return Core::evict_chain(chain); }

  // Makes what an ended thread had at hand available to all.
  void thread_exit(std::uint32_t thread_index) noexcept { core_->thread_exit(thread_index); }

 private:
  Core* core_;
};

}  // namespace tenure::sdk::pool
#pragma GCC visibility pop
