// SPDX-License-Identifier: Apache-2.0
// fake_instance: one opened fake device with its domains, its pools and the faults that a test ordered.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "fake_domain.hpp"
#include "fake_pool.hpp"
#include "fake_storage.hpp"
#include "tenure/provider_abi.h"
#include "tenure/sdk/domain.hpp"
#include "tenure/sdk/fault_list.hpp"
#include "tenure/sdk/host.hpp"
#include "tenure/sdk/open_options.hpp"
#include "tenure/sdk/storage.hpp"

namespace tenure::fake {

// The provider class; tenure/sdk/provider_concept.hpp says what its members are for. Takes the option
// memory_bytes, the size of each domain. Stricter than it would have to be, so that a test finds out: a
// transfer is refused while a map excludes it, fresh memory is not zero, and a map that was ended twice or
// not at all is logged as an error.
class FakeInstance {
 public:
  FakeInstance(const sdk::Host& host, sdk::OpenOptions& options);
  FakeInstance(const FakeInstance&) = delete;
  FakeInstance& operator=(const FakeInstance&) = delete;

  std::vector<sdk::Domain> domains() const;
  std::vector<sdk::Device> devices() const;
  tenure_domain_statistics statistics(std::uint64_t domain) { return domains_[domain].statistics(); }

  FakeStorage* create(std::uint64_t domain, const sdk::StorageRequest& request);
  // Host memory cannot become device memory: FAILED_PRECONDITION there.
  FakeStorage* import_memory(std::uint64_t domain, const tenure_import_desc& desc);
  void release(FakeStorage& storage) noexcept;
  static sdk::StorageFacts facts(const FakeStorage& storage) noexcept;

  void* map(FakeStorage& storage, std::uint32_t access);
  void unmap(FakeStorage& storage, std::uint32_t access) noexcept;

  bool can_copy(std::uint64_t source, std::uint64_t target) noexcept;
  void copy(const tenure_copy_desc& desc, tenure_stream* stream);
  void fill(const tenure_fill_desc& desc, tenure_stream* stream);

  std::uint64_t trim(std::uint64_t domain, std::uint64_t retained_bytes) noexcept;
  std::unique_ptr<FakePool> create_pool(std::uint64_t domain, const tenure_pool_options& options);
  void detach(FakeStorage& storage) noexcept { FakeBlockPool::detach(storage); }
  void thread_exit(std::uint32_t thread_index) noexcept { pools_.thread_exit(thread_index); }

  sdk::FaultList& faults() noexcept { return faults_; }

  // Gives the storage a new allocation id and counts it.
  FakeStorage& hand_out(FakeDomain& domain, FakeStorage& storage, std::uint64_t asked_bytes) noexcept;

 private:
  // The facts of a domain by its index, null for plain host memory.
  const sdk::Domain* facts_of(std::uint64_t domain) const noexcept;

  const sdk::Host host_;
  const std::uint64_t memory_bytes_;
  std::deque<FakeDomain> domains_;  // none ever moves
  FakePoolSet pools_;
  sdk::FaultList faults_;
  std::atomic<std::uint64_t> next_allocation_id_{1};
};

}  // namespace tenure::fake
