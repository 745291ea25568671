// SPDX-License-Identifier: Apache-2.0
// pool_core: what a pool shares with its blocks, alive until the pool and every block are gone.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "tenure/abi/checked_math.hpp"
#include "tenure/sdk/error.hpp"
#include "tenure/sdk/pool/block.hpp"
#include "tenure/sdk/pool/block_counters.hpp"
#include "tenure/sdk/pool/block_roster.hpp"
#include "tenure/sdk/pool/block_source.hpp"
#include "tenure/sdk/pool/inventory.hpp"
#include "tenure/sdk/pool/mode.hpp"
#include "tenure/sdk/pool/pool_options.hpp"
#include "tenure/sdk/pool/size_class.hpp"
#include "tenure/sdk/pool/snapshot.hpp"
#include "tenure/sdk/pool/statistics.hpp"
#include "tenure/sdk/pool/trace.hpp"
#include "tenure/sdk/pool/upstream.hpp"
#include "tenure/sdk/pool/violation.hpp"

#pragma GCC visibility push(hidden)
namespace tenure::sdk::pool {

// The members of Pool, which documents them, without the handle. The pool and each block hold one
// reference; the counter is only touched where blocks are made and freed.
template <Upstream U, ThreadIndexSource T, class Payload>
class PoolCore {
 public:
  using Block = pool::Block<PoolCore, Payload>;

  PoolCore(U upstream, T thread_index, const PoolOptions& options, const Payload& payload)
      : thread_index_(std::move(thread_index)),
        bytes_max_(std::min(options.bytes_max, block_bytes_max)),
        source_(std::move(upstream), options.mode, options.on_violation, {.core = this, .payload = payload}),
        inventory_(options.mode == Mode::bypass ? 0 : options.retained_bytes_max),
        trace_(options.mode == Mode::trace ? std::make_unique<Trace>(options.trace_events_max) : nullptr) {}

  PoolCore(const PoolCore&) = delete;
  PoolCore& operator=(const PoolCore&) = delete;

  Block& acquire(std::uint64_t bytes, std::uint64_t alignment_bytes) {
    return acquire(bytes, alignment_bytes, thread_index_());
  }

  [[gnu::always_inline]] Block& acquire(std::uint64_t bytes, std::uint64_t alignment_bytes,
                                        std::uint32_t thread_index) {
    if (alignment_bytes > block_alignment_bytes || (alignment_bytes & (alignment_bytes - 1)) != 0)
        [[unlikely]] {
      return acquire_aligned(bytes, alignment_bytes, thread_index);
    }
    // Every block of a class has the alignment that its size asks for.
    const std::uint64_t sized =
        alignment_bytes > small_alignment_bytes ? std::max(bytes, block_alignment_bytes) : bytes;
    if (sized > bytes_max_) [[unlikely]] {
      throw refuse(bytes, alignment_bytes);
    }
    const SizeClass size_class = size_class_of(sized);
    Block* block = inventory_.take(thread_index, size_class);
    if (block == nullptr) block = &make(size_class, bytes, alignment_bytes);
    return hand_out(*block, bytes, alignment_bytes);
  }

  static void release(Block& block) noexcept { release(block, block.core->thread_index_()); }

  [[gnu::always_inline]] static void release(Block& block, std::uint32_t thread_index) noexcept {
    PoolCore& core = *block.core;
    if (block.state != BlockState::live) [[unlikely]] {
      return core.release_detached(block);
    }
    if (core.source_.mode() != Mode::count && !core.clear(block)) [[unlikely]] {
      return core.free(block);
    }
    if (!core.source_.take_back(block)) [[unlikely]] {
      return core.free(block);
    }
    if (!core.inventory_.keep_at_hand(thread_index, &block)) core.keep(block, thread_index);
  }

  static void detach(Block& block) noexcept {
    if (block.core == nullptr || block.state != BlockState::live) return;
    block.core->note(TENURE_POOL_EVENT_DETACH, block);
    block.state = BlockState::detached;
    block.core->counters_.add_detached(block.capacity_bytes);
  }

  void give_back(Block& block) {
    if (block.core != this) {
      throw Error(TENURE_INVALID_ARGUMENT,
                  "the block was not made by this pool; give it back to its own pool or release it");
    }
    if (block.state == BlockState::detached) {
      note(TENURE_POOL_EVENT_GIVE_BACK, block);
      block.state = BlockState::live;
      counters_.add_given_back(block.capacity_bytes);
    }
    release(block);
  }

  Statistics statistics() const noexcept {
    const auto idle = inventory_.content();
    Statistics statistics = counters_.snapshot(idle.count, idle.bytes);
    statistics.hits = idle.hits;
    return statistics;
  }

  Snapshot snapshot() const {
    Snapshot out;
    if (trace_ != nullptr) {
      auto [events, dropped] = trace_->content();
      out.events = std::move(events);
      out.dropped_events = dropped;
      out.trace_events_max = trace_->events_max();
    }
    out.blocks = roster_.content();
    out.retained_bytes_max = inventory_.limit_bytes();
    out.mode = static_cast<std::uint32_t>(source_.mode());
    return out;
  }

  Block* take_excess(std::uint64_t retained_bytes, Block* chain) noexcept {
    note([&](tenure_pool_event& event) {
      event.kind = TENURE_POOL_EVENT_TRIM;
      event.bytes = retained_bytes;
    });
    return take_idle(retained_bytes, chain);
  }

  static std::uint64_t evict_chain(Block* chain) noexcept {
    std::uint64_t freed_bytes = 0;
    while (chain != nullptr) {
      Block& block = *std::exchange(chain, chain->older);
      freed_bytes += block.capacity_bytes;
      block.core->evict(block);
    }
    return freed_bytes;
  }

  void thread_exit(std::uint32_t thread_index) noexcept {
    note([&](tenure_pool_event& event) {
      event.kind = TENURE_POOL_EVENT_THREAD_EXIT;
      event.thread_index = thread_index;
    });
    inventory_.flush(thread_index);
  }

  // Ends the pool's own reference.
  void close() noexcept {
    inventory_.close([this](Block* block) { free(*block); });
    drop_reference();
  }

 private:
  Block* take_idle(std::uint64_t retained_bytes, Block* chain) noexcept {
    const std::uint64_t idle_bytes = inventory_.content().bytes;
    std::uint64_t taken_bytes = 0;
    while (taken_bytes < idle_bytes && idle_bytes - taken_bytes > retained_bytes) {
      Block* block = inventory_.take_oldest();
      if (block == nullptr) break;
      taken_bytes += block->capacity_bytes;
      block->older = chain;
      chain = block;
    }
    return chain;
  }

  [[gnu::always_inline]] Block& hand_out(Block& block, std::uint64_t bytes, std::uint64_t alignment_bytes) {
    source_.hand_out(block);
    if (source_.mode() != Mode::count) [[unlikely]] {
      prepare(block, bytes, alignment_bytes);
    }
    return block;
  }

  // For more than every block has, and for what is no alignment.
  [[gnu::noinline]] Block& acquire_aligned(std::uint64_t bytes, std::uint64_t alignment_bytes,
                                           std::uint32_t thread_index) {
    if (!abi::is_power_of_two(alignment_bytes)) {
      throw Error(TENURE_INVALID_ARGUMENT,
                  "alignment_bytes is " + std::to_string(alignment_bytes) + "; expected a power of two");
    }
    if (std::max(bytes, alignment_bytes) > bytes_max_) throw refuse(bytes, alignment_bytes);
    const SizeClass size_class = size_class_of(std::max(bytes, block_alignment_bytes));
    Block* block = inventory_.take_aligned(thread_index, size_class, alignment_bytes);
    if (block == nullptr) block = &make(size_class, bytes, alignment_bytes);
    return hand_out(*block, bytes, alignment_bytes);
  }

  // The ladder: the system, a similar idle block, the system after everything idle was freed, and the
  // system once more for not a byte beyond the request, as a block that is never recycled.
  [[gnu::noinline]] Block& make(SizeClass size_class, std::uint64_t bytes, std::uint64_t alignment_bytes) {
    if (Block* block = try_make(size_class, bytes, alignment_bytes)) return *block;
    const std::uint64_t similar_bytes_max = size_class_bytes(size_class) / 4 * 5;
    if (Block* block = inventory_.take_similar(size_class, similar_bytes_max, alignment_bytes)) return *block;
    evict_chain(take_idle(0, nullptr));
    if (Block* block = try_make(size_class, bytes, alignment_bytes)) return *block;
    if (bytes < size_class_bytes(size_class)) {
      if (Block* block = try_make_exact(size_class, bytes, alignment_bytes)) return *block;
    }
    throw refuse(bytes, alignment_bytes);
  }

  Block* try_make(SizeClass size_class, std::uint64_t bytes, std::uint64_t alignment_bytes) {
    return count_made(source_.make(size_class, bytes, alignment_bytes), size_class_bytes(size_class));
  }

  Block* try_make_exact(SizeClass size_class, std::uint64_t bytes, std::uint64_t alignment_bytes) {
    return count_made(source_.make_exact(size_class, bytes, alignment_bytes), bytes);
  }

  Block* count_made(std::unique_ptr<Block> block, std::uint64_t wanted_bytes) noexcept {
    if (block == nullptr) {
      note([&](tenure_pool_event& event) {
        event.kind = TENURE_POOL_EVENT_ALLOCATE;
        event.capacity_bytes = wanted_bytes;
        event.outcome = TENURE_POOL_OUTCOME_REFUSED;
      });
      return nullptr;
    }
    references_.fetch_add(1, std::memory_order_relaxed);
    counters_.add_made(block->capacity_bytes);
    roster_.add(*block);
    note(TENURE_POOL_EVENT_ALLOCATE, *block);
    return block.release();
  }

  // What the modes but count add to handing a block out and to taking one back.
  [[gnu::noinline, gnu::cold]] void prepare(Block& block, std::uint64_t bytes,
                                            std::uint64_t alignment_bytes) noexcept {
    note([&](tenure_pool_event& event) {
      event.kind = TENURE_POOL_EVENT_ACQUIRE;
      event.block = block.id;
      event.capacity_bytes = block.capacity_bytes;
      event.bytes = bytes;
      event.alignment_bytes = alignment_bytes;
      event.thread_index = thread_index_();
      event.outcome = block.is_reused ? TENURE_POOL_OUTCOME_HIT : TENURE_POOL_OUTCOME_MISS;
    });
    source_.prepare(block, bytes);
  }
  [[gnu::noinline, gnu::cold]] bool clear(Block& block) noexcept {
    note(TENURE_POOL_EVENT_RELEASE, block);
    block.is_reused = true;
    return source_.clear(block);
  }

  // Traces an event that `fill` describes.
  template <class Fill>
  void note(const Fill& fill) noexcept {
    if (trace_ == nullptr) [[likely]]
      return;
    tenure_pool_event event{};
    fill(event);
    trace_->add(event);
  }
  void note(std::uint16_t kind, const Block& block) noexcept {
    note([&](tenure_pool_event& event) {
      event.kind = kind;
      event.block = block.id;
      event.capacity_bytes = block.capacity_bytes;
      event.thread_index = thread_index_();
    });
  }

  // Until the block is kept or freed it holds its reference; afterwards nothing here is touched.
  [[gnu::noinline]] void keep(Block& block, std::uint32_t thread_index) noexcept {
    if (block.capacity_bytes > inventory_.limit_bytes()) return free(block);
    while (!inventory_.keep(thread_index, &block)) {
      Block* oldest = inventory_.take_oldest();
      if (oldest == nullptr) return free(block);
      evict(*oldest);
    }
  }

  [[gnu::noinline, gnu::cold]] void release_detached(Block& block) noexcept {
    if (block.state == BlockState::idle) return source_.report(block, ViolationKind::released_twice, 0);
    note(TENURE_POOL_EVENT_FREE_DETACHED, block);
    source_.clear(block);
    source_.take_back(block);
    give_upstream(block);
  }

  void evict(Block& block) noexcept {
    note(TENURE_POOL_EVENT_EVICT, block);
    counters_.add_evicted();
    free(block);
  }

  // The block's reference may be the last one: nothing of the core may be used afterwards.
  void free(Block& block) noexcept {
    note(TENURE_POOL_EVENT_FREE, block);
    counters_.add_freed(block.capacity_bytes);
    give_upstream(block);
  }

  void give_upstream(Block& block) noexcept {
    roster_.remove(block);
    source_.free(block);
    drop_reference();
  }

  void drop_reference() noexcept {
    if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

  // What is to be thrown.
  [[gnu::noinline, gnu::cold]] Error refuse(std::uint64_t bytes, std::uint64_t alignment_bytes) {
    note([&](tenure_pool_event& event) {
      event.kind = TENURE_POOL_EVENT_ACQUIRE;
      event.bytes = bytes;
      event.alignment_bytes = alignment_bytes;
      event.outcome = TENURE_POOL_OUTCOME_REFUSED;
    });
    return Error(TENURE_RESOURCE_EXHAUSTED,
                 "no room for " + std::to_string(bytes) + " bytes aligned to " +
                     std::to_string(std::max(alignment_bytes, small_alignment_bytes)) +
                     "; release storage or ask for less. The pool: " + to_text(statistics()));
  }

  const T thread_index_;
  const std::uint64_t bytes_max_;
  BlockSource<Block, U> source_;
  Inventory<Block> inventory_;
  BlockCounters counters_;
  BlockRoster<Block> roster_;
  const std::unique_ptr<Trace> trace_;  // in mode trace only
  std::atomic<std::uint64_t> references_{1};
};

}  // namespace tenure::sdk::pool
#pragma GCC visibility pop
