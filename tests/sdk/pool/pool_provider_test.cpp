// SPDX-License-Identifier: Apache-2.0
// A provider class whose storage is the pool's block, through the tables of the contract.
#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "tenure/sdk/instance_table.hpp"
#include "tenure/sdk/pool/host_upstream.hpp"
#include "tenure/sdk/pool/pool_set.hpp"
#include "tenure/sdk/pool/thread_index.hpp"

namespace {

namespace sdk = tenure::sdk;
namespace abi = tenure::abi;

struct Place {
  std::uint64_t domain = 0;
};

class PooledMemory {
 public:
  using Pool = sdk::pool::Pool<sdk::pool::HostUpstream, sdk::pool::HostThreadIndex, Place>;
  using Storage = Pool::Block;

  PooledMemory(const sdk::Host& host, sdk::OpenOptions&)
      : host_(host),
        plain_(sdk::pool::HostUpstream{}, sdk::pool::HostThreadIndex(host),
               {.mode = sdk::pool::Mode::bypass}) {}

  std::vector<sdk::Domain> domains() const {
    return {
        {.name = "pooled:0/pageable", .memory = TENURE_MEMORY_PAGEABLE, .access = sdk::coherent_host_access}};
  }
  Storage* create(std::uint64_t, const sdk::StorageRequest& request) {
    Storage& storage = plain_.acquire(request.bytes, request.alignment_bytes);
    if (request.zero) std::memset(storage.address, 0, request.bytes);
    return &storage;
  }
  void release(Storage& storage) noexcept { Pool::release(storage); }
  void* map(Storage& storage, std::uint32_t) { return storage.address; }
  static sdk::StorageFacts facts(const Storage& storage) noexcept {
    return {.address = storage.address,
            .bytes = storage.bytes,
            .alignment_bytes = storage.alignment_bytes,
            .domain = storage.payload.domain};
  }

  auto create_pool(std::uint64_t domain, const tenure_pool_options& options) {
    return pools_.make(
        domain, Pool(sdk::pool::HostUpstream{}, sdk::pool::HostThreadIndex(host_),
                     sdk::pool::read_pool_options(options, {.retained_bytes_max = 1U << 30}), {domain}));
  }
  void detach(Storage& storage) noexcept { Pool::detach(storage); }
  void thread_exit(std::uint32_t thread_index) noexcept { pools_.thread_exit(thread_index); }
  std::uint64_t trim(std::uint64_t domain, std::uint64_t retained_bytes) noexcept {
    return pools_.trim(domain, retained_bytes);
  }

 private:
  sdk::Host host_;
  Pool plain_;  // for storage that no pool of a caller's makes
  sdk::pool::PoolSet<Pool> pools_;
};

std::uint32_t read_index(tenure_host_context*) noexcept { return 0; }

// An opened instance and the two tables that reach it.
struct Opened {
  Opened() {
    host.thread_index = &read_index;
    sdk::OpenOptions options(nullptr);
    instance = std::make_unique<sdk::Instance<PooledMemory>>(sdk::Host(&host), options);
    pools = static_cast<const tenure_pool_api*>(table.get_extension(instance->handle(), TENURE_EXT_POOL));
    REQUIRE(pools != nullptr);
  }

  tenure_pool* make_pool(std::uint32_t mode, std::uint64_t retained_bytes_max = UINT64_MAX) {
    auto options = abi::make_struct<tenure_pool_options>();
    options.retained_bytes_max = retained_bytes_max;
    options.mode = mode;
    options.mode_is_set = 1;
    tenure_pool* pool = nullptr;
    REQUIRE(pools->pool_create(instance->handle(), 0, &options, &pool, nullptr) == TENURE_OK);
    return pool;
  }

  tenure_storage_info acquire(tenure_pool* pool, std::uint64_t bytes) {
    auto info = abi::make_struct<tenure_storage_info>();
    REQUIRE(pools->acquire(pool, bytes, 0, &info, nullptr) == TENURE_OK);
    return info;
  }

  void release(tenure_storage* storage) { table.storage_release(instance->handle(), storage, nullptr); }

  tenure_pool_statistics statistics(tenure_pool* pool) {
    auto statistics = abi::make_struct<tenure_pool_statistics>();
    REQUIRE(pools->statistics(pool, &statistics, nullptr) == TENURE_OK);
    return statistics;
  }

  const tenure_instance_api& table = sdk::InstanceTable<PooledMemory>::table;
  tenure_host host = abi::make_struct<tenure_host>();
  std::unique_ptr<sdk::Instance<PooledMemory>> instance;
  const tenure_pool_api* pools = nullptr;
};

}  // namespace

TEST_CASE_FIXTURE(Opened,
                  "Pool provider: a pooled storage is released through the instance and comes again") {
  tenure_pool* pool = make_pool(TENURE_POOL_COUNT);
  const tenure_storage_info first = acquire(pool, 32768);
  CHECK(first.bytes == 32768);
  CHECK(first.alignment_bytes == 256);
  CHECK(first.allocation_id == 0);
  release(first.storage);
  CHECK(statistics(pool).capacity_bytes == 32768);

  const tenure_storage_info second = acquire(pool, 32768);
  CHECK(second.address == first.address);
  pools->detach(instance->handle(), second.storage);
  CHECK(statistics(pool).detached == 1);
  CHECK(pools->give_back(pool, second.storage, nullptr) == TENURE_OK);
  CHECK(statistics(pool).buffers == 1);
  pools->thread_exit(instance->handle(), 0);
  CHECK(table.trim(instance->handle(), 0, 0) == 32768);
  pools->pool_release(pool);
}

TEST_CASE_FIXTURE(Opened, "Pool provider: a snapshot lists blocks and events until it is released") {
  tenure_pool* pool = make_pool(TENURE_POOL_TRACE, 5000);
  const tenure_storage_info info = acquire(pool, 1000);
  const tenure_pool_snapshot* snapshot = nullptr;
  REQUIRE(pools->snapshot_create(pool, &snapshot, nullptr) == TENURE_OK);
  release(info.storage);
  CHECK(snapshot->head.kind == TENURE_KIND_POOL_SNAPSHOT);
  CHECK(snapshot->mode == TENURE_POOL_TRACE);
  CHECK(snapshot->retained_bytes_max == 5000);
  CHECK(snapshot->trace_events_max == sdk::pool::trace_events_default);
  CHECK(snapshot->block_bytes == sizeof(tenure_pool_block));
  CHECK(snapshot->event_bytes == sizeof(tenure_pool_event));
  REQUIRE(snapshot->block_count == 1);
  CHECK(snapshot->blocks[0].address == reinterpret_cast<std::uintptr_t>(info.address));
  CHECK(snapshot->blocks[0].state == TENURE_POOL_BLOCK_LIVE);
  REQUIRE(snapshot->event_count == 2);
  CHECK(snapshot->events[1].bytes == 1000);
  pools->snapshot_release(pool, snapshot);
  CHECK(pools->snapshot_create(pool, nullptr, nullptr) == TENURE_INVALID_ARGUMENT);
  pools->pool_release(pool);
}

TEST_CASE_FIXTURE(Opened,
                  "Pool provider: a trace is as long as was asked, or refused without memory for it") {
  auto options = abi::make_struct<tenure_pool_options>();
  options.mode = TENURE_POOL_TRACE;
  options.mode_is_set = 1;
  options.retained_bytes_max = UINT64_MAX;
  options.trace_events_max = 3;
  tenure_pool* pool = nullptr;
  REQUIRE(pools->pool_create(instance->handle(), 0, &options, &pool, nullptr) == TENURE_OK);
  release(acquire(pool, 1000).storage);
  release(acquire(pool, 1000).storage);
  const tenure_pool_snapshot* snapshot = nullptr;
  REQUIRE(pools->snapshot_create(pool, &snapshot, nullptr) == TENURE_OK);
  CHECK(snapshot->event_count == 3);
  CHECK(snapshot->dropped_events == 2);
  pools->snapshot_release(pool, snapshot);
  pools->pool_release(pool);

  options.trace_events_max = UINT64_MAX / 64;
  tenure_pool* none = nullptr;
  CHECK(pools->pool_create(instance->handle(), 0, &options, &none, nullptr) == TENURE_RESOURCE_EXHAUSTED);
  CHECK(none == nullptr);
}

TEST_CASE_FIXTURE(Opened, "Pool provider: a pool released while storage is out leaves the storage alive") {
  tenure_pool* pool = make_pool(TENURE_POOL_COUNT);
  const tenure_storage_info info = acquire(pool, 1000);
  pools->pool_release(pool);
  std::memset(info.address, 1, 1000);
  release(info.storage);
}

TEST_CASE_FIXTURE(Opened, "Pool provider: plain storage is no pool's, and no pool takes it") {
  auto desc = abi::make_struct<tenure_storage_desc>();
  desc.bytes = 100;
  desc.flags = TENURE_STORAGE_ZERO;
  auto info = abi::make_struct<tenure_storage_info>();
  REQUIRE(table.storage_create(instance->handle(), 0, &desc, &info, nullptr) == TENURE_OK);
  CHECK(static_cast<const char*>(info.address)[99] == 0);

  tenure_pool* pool = make_pool(TENURE_POOL_COUNT);
  CHECK(pools->give_back(pool, info.storage, nullptr) == TENURE_INVALID_ARGUMENT);
  pools->detach(instance->handle(), info.storage);
  release(info.storage);
  pools->pool_release(pool);
}

TEST_CASE_FIXTURE(Opened, "Pool provider: an impossible size is RESOURCE_EXHAUSTED with the pool's state") {
  tenure_pool* pool = make_pool(TENURE_POOL_COUNT);
  auto info = abi::make_struct<tenure_storage_info>();
  auto status = abi::make_struct<tenure_status>();
  CHECK(pools->acquire(pool, std::uint64_t{1} << 60, 0, &info, &status) == TENURE_RESOURCE_EXHAUSTED);
  CHECK(std::string(status.message).find("live 0 of 0 bytes") != std::string::npos);
  CHECK(info.storage == nullptr);
  pools->pool_release(pool);
}

TEST_CASE_FIXTURE(Opened, "Pool provider: a mode that does not exist is INVALID_ARGUMENT") {
  auto options = abi::make_struct<tenure_pool_options>();
  options.mode = 17;
  options.mode_is_set = 1;
  tenure_pool* pool = nullptr;
  CHECK(pools->pool_create(instance->handle(), 0, &options, &pool, nullptr) == TENURE_INVALID_ARGUMENT);
  CHECK(pool == nullptr);
}
