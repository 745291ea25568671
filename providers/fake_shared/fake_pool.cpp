// SPDX-License-Identifier: Apache-2.0
#include "fake_pool.hpp"

#include <utility>

#include "fake_instance.hpp"

namespace tenure::fake {

FakePool::FakePool(FakeInstance& instance, FakeDomain& domain, std::unique_ptr<FakePoolSet::Member> blocks)
    : instance_(instance), domain_(domain), blocks_(std::move(blocks)) {}

FakeStorage& FakePool::acquire(std::uint64_t bytes, std::uint64_t alignment_bytes) {
  return instance_.hand_out(domain_, blocks_->acquire(bytes, alignment_bytes), bytes);
}

void FakePool::give_back(FakeStorage& storage) {
  storage.payload.maps.require_idle("giving a block back to its pool");
  // Once it is given back another thread may have it.
  const std::uint64_t asked_bytes = storage.payload.asked_bytes;
  blocks_->give_back(storage);
  domain_.count_released(asked_bytes, true);
}

sdk::FaultList& FakePool::faults() noexcept { return instance_.faults(); }

}  // namespace tenure::fake
