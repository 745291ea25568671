// SPDX-License-Identifier: Apache-2.0
// cpu_pool: recycled storage that the domain's statistics count while it is out.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "cpu_storage.hpp"
#include "tenure/provider_pool.h"
#include "tenure/sdk/pool/pool_set.hpp"

namespace tenure::cpu {

using CpuPoolSet = sdk::pool::PoolSet<CpuBlockPool>;

// What tenure_pool* points to. The members mean what they mean in sdk::pool::Pool. The counters must outlive
// the pool.
class CpuPool {
 public:
  CpuPool(DomainCounters& counters, sdk::pool::HostThreadIndex thread_index,
          std::unique_ptr<CpuPoolSet::Member> blocks)
      : counters_(counters), thread_index_(thread_index), blocks_(std::move(blocks)) {}

  CpuStorage& acquire(std::uint64_t bytes, std::uint64_t alignment_bytes) {
    const std::uint32_t thread_index = thread_index_();
    CpuStorage& storage = blocks_->acquire(bytes, alignment_bytes, thread_index);
    storage.payload.asked_bytes = bytes;
    counters_.add_live(thread_index, bytes);
    return storage;
  }
  void give_back(CpuStorage& storage) {
    // Once it is given back another thread may have it.
    const std::uint64_t asked_bytes = storage.payload.asked_bytes;
    blocks_->give_back(storage);
    counters_.remove_live(thread_index_(), asked_bytes);
  }
  tenure_pool_statistics statistics() const noexcept { return blocks_->statistics(); }
  sdk::pool::Snapshot snapshot() const { return blocks_->snapshot(); }
  std::uint64_t trim(std::uint64_t retained_bytes) noexcept { return blocks_->trim(retained_bytes); }

 private:
  DomainCounters& counters_;
  const sdk::pool::HostThreadIndex thread_index_;
  const std::unique_ptr<CpuPoolSet::Member> blocks_;
};

}  // namespace tenure::cpu
