// SPDX-License-Identifier: Apache-2.0
#include "cpu_provider.hpp"

#include <cstring>
#include <string>
#include <utility>

#include "tenure/sdk/engine_table.hpp"
#include "tenure/sdk/error.hpp"
#include "tenure/sdk/pool_table.hpp"
#include "tenure/sdk/provider.hpp"

namespace tenure::cpu {

CpuProvider::CpuProvider(const sdk::Host& host, sdk::OpenOptions& options)
    : thread_index_(host), options_(read_cpu_options(options)) {}

std::vector<sdk::Domain> CpuProvider::domains() const {
  return {{.name = "cpu:0/pageable",
           .memory = TENURE_MEMORY_PAGEABLE,
           .access = sdk::coherent_host_access | TENURE_ACCESS_DEVICE,
           .total_bytes = sdk::pool::HostUpstream::memory_bytes()}};
}

CpuStorage* CpuProvider::create(std::uint64_t, const sdk::StorageRequest& request) {
  auto storage = std::make_unique<CpuStorage>();
  storage->address = memory_.acquire(request.bytes, request.alignment_bytes);
  if (storage->address == nullptr) {
    throw sdk::Error(TENURE_RESOURCE_EXHAUSTED, "the system has no room for " +
                                                    std::to_string(request.bytes) + " bytes aligned to " +
                                                    std::to_string(request.alignment_bytes));
  }
  storage->bytes = request.bytes;
  storage->alignment_bytes = request.alignment_bytes;
  storage->payload.asked_bytes = request.bytes;
  if (request.zero) std::memset(storage->address, 0, request.bytes);
  counters_.add_create_call();
  counters_.add_live(thread_index_(), request.bytes);
  return storage.release();
}

void CpuProvider::release(CpuStorage& storage) noexcept {
  const std::uint32_t thread_index = thread_index_();
  counters_.remove_live(thread_index, storage.payload.asked_bytes);
  if (storage.core != nullptr) return CpuBlockPool::release(storage, thread_index);
  const std::unique_ptr<CpuStorage> owned(&storage);
  memory_.release(storage.address, storage.bytes, storage.alignment_bytes);
  counters_.add_release_call();
}

sdk::StorageFacts CpuProvider::facts(const CpuStorage& storage) noexcept {
  return {.address = storage.address, .bytes = storage.bytes, .alignment_bytes = storage.alignment_bytes};
}

std::unique_ptr<CpuPool> CpuProvider::create_pool(std::uint64_t domain, const tenure_pool_options& options) {
  CpuBlockPool blocks(memory_, thread_index_, sdk::pool::read_pool_options(options, options_.pool));
  return std::make_unique<CpuPool>(counters_, thread_index_, pools_.make(domain, std::move(blocks)));
}

std::unique_ptr<CpuEngine> CpuProvider::create_engine(const tenure_engine_options& options) {
  return std::make_unique<CpuEngine>(kernel_set(options_.isa_level), threads_for(options),
                                     options_.streaming_bytes_min);
}

std::shared_ptr<ParallelFor> CpuProvider::threads_for(const tenure_engine_options& options) {
  if (options.mode != TENURE_ENGINE_SERIAL && options.mode != TENURE_ENGINE_PARALLEL) {
    throw sdk::Error(TENURE_INVALID_ARGUMENT, "there is no engine mode " + std::to_string(options.mode) +
                                                  "; expected serial or parallel");
  }
  if (options.threads_of != nullptr) return threads_of_other(options);
  if (options.mode == TENURE_ENGINE_SERIAL) return nullptr;
  if (options.threads > unsigned{threads_max}) {
    throw sdk::Error(TENURE_INVALID_ARGUMENT, "an engine has at most " + std::to_string(threads_max) +
                                                  " threads; " + std::to_string(options.threads) +
                                                  " were asked for");
  }
  const int width = options.threads == 0 ? options_.threads : static_cast<int>(options.threads);
  if (width == 1) return nullptr;
  {
    const std::lock_guard lock(mutex_);
    if (!library_) library_.emplace();
  }
  return std::make_shared<ParallelFor>(width);
}

std::shared_ptr<ParallelFor> CpuProvider::threads_of_other(const tenure_engine_options& options) {
  const CpuEngine& other = sdk::EngineTable<CpuProvider>::engine_of(options.threads_of);
  const std::shared_ptr<ParallelFor>& found = other.parallel();
  if (options.mode == TENURE_ENGINE_SERIAL || found == nullptr) {
    throw sdk::Error(
        TENURE_INVALID_ARGUMENT,
        std::string("an engine that shares threads and the one that it shares them with are both "
                    "parallel, with two threads or more; the ") +
            (found == nullptr ? "other" : "new") + " one is serial");
  }
  if (options.threads != 0 && options.threads != static_cast<unsigned>(found->width())) {
    throw sdk::Error(TENURE_INVALID_ARGUMENT, "an engine shares all threads of another one or none; " +
                                                  std::to_string(options.threads) +
                                                  " were asked for, and the other one has " +
                                                  std::to_string(found->width()));
  }
  return found;
}

}  // namespace tenure::cpu

TENURE_PROVIDER(tenure::cpu::CpuProvider, "org.tenure.cpu", "CPU", "0.1.0", "Tenure",
                TENURE_NOTE_SPAWNS_THREADS);
