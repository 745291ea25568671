// SPDX-License-Identifier: Apache-2.0
// cpu_storage: one allocation of host memory, from a pool or by itself.
#pragma once

#include <cstdint>

#include "domain_counters.hpp"
#include "tenure/sdk/pool/host_upstream.hpp"
#include "tenure/sdk/pool/pool.hpp"
#include "tenure/sdk/pool/thread_index.hpp"

namespace tenure::cpu {

// Host memory that the domain counts as reserved. The counters must outlive the pools and their blocks.
struct CpuMemory {
  static constexpr bool is_host_memory = true;

  void* acquire(std::uint64_t bytes, std::uint64_t alignment_bytes) noexcept {
    void* const address = system.acquire(bytes, alignment_bytes);
    if (address != nullptr) counters->add_reserved(bytes);
    return address;
  }
  void release(void* address, std::uint64_t bytes, std::uint64_t alignment_bytes) noexcept {
    system.release(address, bytes, alignment_bytes);
    counters->remove_reserved(bytes);
  }

  DomainCounters* counters;
  sdk::pool::HostUpstream system{};
};

// What the provider keeps of an allocation beside its address and size.
struct CpuAllocation {
  std::uint64_t asked_bytes = 0;  // by who holds the storage
};

using CpuBlockPool = sdk::pool::Pool<CpuMemory, sdk::pool::HostThreadIndex, CpuAllocation>;

// What tenure_storage* points to. One that was made without a pool has no core.
using CpuStorage = CpuBlockPool::Block;

}  // namespace tenure::cpu
