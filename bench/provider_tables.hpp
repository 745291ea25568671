// SPDX-License-Identifier: Apache-2.0
// provider_tables: a provider's C tables without the core between, for rows that measure the provider alone.
#pragma once

#include <cstdint>
#include <filesystem>

#include "tenure/provider_abi.h"
#include "tenure/provider_pool.h"

namespace tenure::bench {

// One instance of the provider and one pool on its first domain.
class ProviderTables {
 public:
  // Throws std::runtime_error with what the provider said; also when it has no pools.
  explicit ProviderTables(const std::filesystem::path& file);
  ProviderTables(const ProviderTables&) = delete;
  ProviderTables& operator=(const ProviderTables&) = delete;
  ~ProviderTables();

  const tenure_instance_api& api() const noexcept { return *provider_->instance; }
  tenure_instance* instance() const noexcept { return instance_; }

  // As the core calls it. Throws std::bad_alloc when the pool refuses.
  tenure_storage* acquire(std::uint64_t bytes, void*& address) const;
  void release(tenure_storage* storage) const noexcept { api().storage_release(instance_, storage, nullptr); }

 private:
  tenure_host host_;
  const tenure_provider* provider_ = nullptr;
  tenure_instance* instance_ = nullptr;
  const tenure_pool_api* pool_api_ = nullptr;
  tenure_pool* pool_ = nullptr;
};

}  // namespace tenure::bench
