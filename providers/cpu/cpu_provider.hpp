// SPDX-License-Identifier: Apache-2.0
// cpu_provider: one opened use of the CPU provider: host memory, pools of it, engines.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "cpu_engine.hpp"
#include "cpu_options.hpp"
#include "cpu_pool.hpp"
#include "cpu_storage.hpp"
#include "domain_counters.hpp"
#include "tenure/sdk/domain.hpp"
#include "tenure/sdk/host.hpp"
#include "tenure/sdk/storage.hpp"

namespace tenure::cpu {

// The class that the SDK's glue makes a provider of. It has one domain, plain host memory, which carries no
// identity. Members that are not documented here mean what the glue says they mean.
class CpuProvider {
 public:
  CpuProvider(const sdk::Host& host, sdk::OpenOptions& options);

  std::vector<sdk::Domain> domains() const;

  CpuStorage* create(std::uint64_t domain, const sdk::StorageRequest& request);
  void release(CpuStorage& storage) noexcept;
  void* map(CpuStorage& storage, std::uint32_t) noexcept { return storage.address; }
  static sdk::StorageFacts facts(const CpuStorage& storage) noexcept;

  // Of all storage, pooled or not, whether its pool lives or not.
  tenure_domain_statistics statistics(std::uint64_t) { return counters_.snapshot(); }
  std::uint64_t trim(std::uint64_t domain, std::uint64_t retained_bytes) noexcept {
    return pools_.trim(domain, retained_bytes);
  }

  std::unique_ptr<CpuPool> create_pool(std::uint64_t domain, const tenure_pool_options& options);
  void detach(CpuStorage& storage) noexcept { CpuBlockPool::detach(storage); }
  void thread_exit(std::uint32_t thread_index) noexcept { pools_.thread_exit(thread_index); }

  std::unique_ptr<CpuEngine> create_engine(const tenure_engine_options& options);

 private:
  // What a parallel engine runs on; null for a serial one. INVALID_ARGUMENT.
  std::shared_ptr<ParallelFor> threads_for(const tenure_engine_options& options);
  static std::shared_ptr<ParallelFor> threads_of_other(const tenure_engine_options& options);

  const sdk::pool::HostThreadIndex thread_index_;
  const CpuOptions options_;
  DomainCounters counters_;
  CpuMemory memory_{&counters_};
  CpuPoolSet pools_;

  std::mutex mutex_;
  std::optional<ParallelLibrary> library_;  // from the first parallel engine on
};

}  // namespace tenure::cpu
