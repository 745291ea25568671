// SPDX-License-Identifier: Apache-2.0
// fake_domain: one kind of memory of the fake device, with its size and its statistics.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "tenure/provider_abi.h"
#include "tenure/sdk/domain.hpp"
#include "tenure/sdk/memory_counters.hpp"
#include "tenure/sdk/pool/host_upstream.hpp"

namespace tenure::fake {

// The domains in the order of their indices, each with memory of its own. `memory_bytes` is the size of
// each one.
std::vector<sdk::Domain> make_domain_list(std::uint64_t memory_bytes);

// Whether the host or the device reaches both ends of a copy. Null stands for plain host memory, which
// both reach.
bool can_copy(const sdk::Domain* source, const sdk::Domain* target) noexcept;

// Memory that lies in host memory, whatever the facts say that the host may do with it.
class FakeDomain {
 public:
  // `index` counts from 0; the size is the facts' quota_bytes.
  FakeDomain(std::uint64_t index, sdk::Domain facts);

  std::uint64_t index() const noexcept { return index_; }
  const sdk::Domain& facts() const noexcept { return facts_; }
  bool is_coherent() const noexcept { return (facts_.access & TENURE_ACCESS_COHERENT) != 0; }

  // Null when the domain, or the system, has no room.
  void* acquire(std::uint64_t bytes, std::uint64_t alignment_bytes) noexcept;
  // With the same numbers as acquire.
  void release(void* address, std::uint64_t bytes, std::uint64_t alignment_bytes) noexcept;

  // Counts a storage of `bytes`; what pools hand out is alive here, and its calls are the pools' to count.
  void count_made(std::uint64_t bytes, bool by_pool) noexcept;
  void count_released(std::uint64_t bytes, bool by_pool) noexcept;
  tenure_domain_statistics statistics() const noexcept;

 private:
  const std::uint64_t index_;
  const sdk::Domain facts_;
  sdk::MemoryCounters all_;
  sdk::MemoryCounters pool_calls_;  // those of all_ that pools made, without bytes
  std::atomic<std::uint64_t> reserved_bytes_{0};
  sdk::pool::HostUpstream host_memory_;
};

// A domain as a pool sees it. The domain must outlive the pool and its blocks.
struct FakeMemory {
  static constexpr bool is_host_memory = true;

  void* acquire(std::uint64_t bytes, std::uint64_t alignment_bytes) noexcept {
    return domain->acquire(bytes, alignment_bytes);
  }
  void release(void* address, std::uint64_t bytes, std::uint64_t alignment_bytes) noexcept {
    domain->release(address, bytes, alignment_bytes);
  }

  FakeDomain* domain;
};

}  // namespace tenure::fake
