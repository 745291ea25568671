// SPDX-License-Identifier: Apache-2.0
// fake_pool: recycled storage of one domain, each time with a new allocation id.
#pragma once

#include <cstdint>
#include <memory>

#include "fake_storage.hpp"
#include "tenure/provider_pool.h"
#include "tenure/sdk/fault_list.hpp"
#include "tenure/sdk/pool/pool_set.hpp"

namespace tenure::fake {

class FakeInstance;

using FakePoolSet = sdk::pool::PoolSet<FakeBlockPool>;

// What tenure_pool* points to.
class FakePool {
 public:
  FakePool(FakeInstance& instance, FakeDomain& domain, std::unique_ptr<FakePoolSet::Member> blocks);

  FakeStorage& acquire(std::uint64_t bytes, std::uint64_t alignment_bytes);
  // FAILED_PRECONDITION for a block that is mapped, INVALID_ARGUMENT for one of another pool.
  void give_back(FakeStorage& storage);
  tenure_pool_statistics statistics() const noexcept { return blocks_->statistics(); }
  sdk::pool::Snapshot snapshot() const { return blocks_->snapshot(); }
  std::uint64_t trim(std::uint64_t retained_bytes) noexcept { return blocks_->trim(retained_bytes); }
  sdk::FaultList& faults() noexcept;

 private:
  FakeInstance& instance_;
  FakeDomain& domain_;
  const std::unique_ptr<FakePoolSet::Member> blocks_;
};

}  // namespace tenure::fake
