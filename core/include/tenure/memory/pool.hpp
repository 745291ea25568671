// SPDX-License-Identifier: Apache-2.0
// pool: recycled storage of one domain.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "tenure/memory/allocation_domain.hpp"
#include "tenure/memory/buffer_allocator.hpp"
#include "tenure/memory/storage.hpp"

struct tenure_pool;

namespace tenure::inline TENURE_BUILD {

class InstanceControl;

enum class PoolMode : std::uint8_t {
  count,   // counts
  poison,  // fills blocks with a pattern before they are given out
  guard,   // writes past the end of a block are found when it comes back
  bypass,  // recycles nothing
  trace,   // counts, and keeps its last events for snapshots
};

struct PoolOptions {
  std::optional<std::size_t> retained_bytes_max{};  // hard cap on idle memory; absent: the provider's
  std::optional<PoolMode> mode{};                   // absent: the provider's
  std::optional<std::size_t> trace_events_max{};    // how many events trace keeps; absent: the provider's
};

struct PoolStatistics {
  std::uint64_t buffers = 0;         // idle blocks
  std::uint64_t capacity_bytes = 0;  // of the idle blocks
  std::uint64_t live_count = 0;      // blocks that are out and will come back
  std::uint64_t live_bytes = 0;
  std::uint64_t reserved_bytes = 0;  // live and idle
  std::uint64_t peak_bytes = 0;      // highest reserved_bytes
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;     // allocations from the system
  std::uint64_t evictions = 0;  // idle blocks given back to the system
  std::uint64_t detached = 0;   // blocks extracted for good, less those given back
};

struct PoolSnapshot;

// Owns a pool of the provider; storages from it may outlive it. Safe from any thread, except that it is moved
// and destroyed by one. When the provider has no pools, storages are plain ones of the domain. A moved-from
// pool still knows its domain, recycles nothing and has nothing to give back.
class TENURE_API Pool {
 public:
  // Throws InvalidArgument for a mode that has no name and for a trace of no events, ProviderError, and
  // EmptyOwner where noted below on a moved-from pool.
  explicit Pool(const AllocationDomain& domain, const PoolOptions& options = {});
  Pool(Pool&& other) noexcept
      : domain_(other.domain_),
        instance_(std::move(other.instance_)),
        handle_(std::exchange(other.handle_, nullptr)),
        live_(std::exchange(other.live_, false)) {}
  Pool& operator=(Pool&& other) noexcept;
  ~Pool();

  const AllocationDomain& domain() const noexcept { return domain_; }
  // False when the provider has no pools.
  bool is_recycling() const noexcept { return handle_ != nullptr; }

  // As AllocationDomain::allocate, but recycled. Throws OutOfMemory with a snapshot of this pool; EmptyOwner.
  Storage acquire(std::size_t bytes, std::size_t alignment_bytes = 0) const;
  // For the layers of Tenure that are built on this one: the same, and errors name `operation`.
  Storage acquire_for(const char* operation, std::size_t bytes, std::size_t alignment_bytes) const;
  // All zero when the provider has no pools. Throws ProviderError; EmptyOwner.
  PoolStatistics statistics() const;
  // What the pool holds, block by block, and its events if its mode is trace. Copies the list, not the
  // blocks; making and freeing blocks waits meanwhile. Empty when the provider has no pools. Throws
  // ProviderError, UNIMPLEMENTED when the provider's pools give none; EmptyOwner.
  PoolSnapshot snapshot() const;
  // Gives idle blocks back until at most `retained_bytes` are kept; returns the bytes given back.
  std::size_t trim(std::size_t retained_bytes = 0) const noexcept;
  // Recycles a block that was extracted from this pool, at once; the vector is empty afterwards. Throws
  // ProviderError (INVALID_ARGUMENT) for a block that this pool did not make; the vector is then as it was.
  // EmptyOwner.
  template <class T>
  void give_back(BufferVector<T>&& buffer) const {
    const auto adoption = buffer.get_allocator().adoption();
    give_back(adoption != nullptr && adoption->holds(buffer.data()) ? &adoption->storage() : nullptr);
    const BufferVector<T> ended = std::move(buffer);
  }

 private:
  void give_back(Storage* storage) const;
  void require_live(const char* operation) const;

  AllocationDomain domain_;
  std::shared_ptr<InstanceControl> instance_;  // keeps it open for storages to come
  tenure_pool* handle_ = nullptr;
  bool live_ = true;  // false: moved from
};

}  // namespace tenure::inline TENURE_BUILD
