// SPDX-License-Identifier: Apache-2.0
#include "support/fake_provider.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "loader/module.hpp"
#include "tenure/abi/struct_copy.hpp"
#include "tenure/abi/struct_head.hpp"

namespace tenure_test {
namespace {

constexpr std::uint64_t alignment_bytes_min = 64;

std::byte* aligned_bytes(std::uint64_t bytes) {
  const std::uint64_t rounded = (bytes + alignment_bytes_min) / alignment_bytes_min * alignment_bytes_min;
  return static_cast<std::byte*>(std::aligned_alloc(alignment_bytes_min, rounded));
}

struct Free {
  const tenure_import_desc* imported = nullptr;  // of memory that is not the fake's

  void operator()(std::byte* bytes) const noexcept {
    if (imported == nullptr) return std::free(bytes);
    if (imported->release != nullptr) imported->release(imported->context);
    delete imported;
  }
};
using Bytes = std::unique_ptr<std::byte, Free>;

FakeProvider& provider_of(tenure_instance* instance) { return *reinterpret_cast<FakeProvider*>(instance); }

// One end of a copy as an address and strides for every axis.
struct End {
  std::byte* first;
  std::vector<std::int64_t> strides;
};

void copy_box(const End& source, const End& target, const std::int64_t* extents, std::size_t rank,
              std::size_t element_bytes) {
  if (rank == 0) {
    std::memcpy(target.first, source.first, element_bytes);
    return;
  }
  const std::size_t axis = rank - 1;
  for (std::int64_t index = 0; index < extents[axis]; ++index) {
    const auto at = [&](const End& end) {
      return End{end.first + index * end.strides[axis] * static_cast<std::int64_t>(element_bytes),
                 end.strides};
    };
    copy_box(at(source), at(target), extents, rank - 1, element_bytes);
  }
}

tenure::DomainInfo domain_info(std::uint64_t index, std::string name, std::uint32_t memory,
                               std::uint32_t access) {
  tenure::DomainInfo info;
  info.index = index;
  info.name = std::move(name);
  info.memory = memory;
  info.access = access;
  info.dlpack_type = memory == TENURE_MEMORY_DEVICE ? 2 : 1;
  info.alignment_bytes_min = alignment_bytes_min;
  info.storage_bytes_max = std::uint64_t{1} << 40;
  return info;
}

}  // namespace

struct FakeProvider::FakePool {
  FakeProvider* provider;
  std::uint64_t domain;
  std::vector<std::unique_ptr<FakeStorage>> idle{};
  std::uint64_t live_count = 0;
  std::uint64_t hits = 0;
};

struct FakeProvider::FakeStorage {
  std::uint64_t domain;
  std::uint64_t bytes;
  std::uint64_t id;
  FakePool* pool;    // the one that it goes back to
  FakePool* origin;  // the one that made it
  Bytes device;
  Bytes host;  // what a map of incoherent memory shows
};

struct FakeProvider::Table {
  static std::int32_t statistics(tenure_instance* instance, std::uint64_t domain,
                                 tenure_domain_statistics* out, tenure_status* status) noexcept {
    const FakeProvider& self = provider_of(instance);
    if (self.lies.statistics_code != 0) return self.fail(self.lies.statistics_code, "asked to fail", status);
    auto answer = tenure::abi::make_struct<tenure_domain_statistics>();
    for (const auto& [handle, storage] : self.storages_) {
      if (storage->domain != domain) continue;
      ++answer.live_count;
      answer.live_bytes += storage->bytes;
    }
    tenure::abi::write_struct(out, answer);
    return TENURE_OK;
  }

  static std::int32_t can_copy(tenure_instance* instance, std::uint64_t source,
                               std::uint64_t target) noexcept {
    const auto at = [](std::uint64_t domain) { return std::min<std::uint64_t>(domain, domain_count); };
    return provider_of(instance).listed_[at(source)][at(target)] ? 1 : 0;
  }

  static std::int32_t create(tenure_instance* instance, std::uint64_t domain, const tenure_storage_desc* desc,
                             tenure_storage_info* out, tenure_status* status) noexcept {
    FakeProvider& self = provider_of(instance);
    ++self.calls.create;
    return self.make(domain, desc->bytes, desc->alignment_bytes, nullptr, out, status);
  }

  static std::int32_t import(tenure_instance* instance, std::uint64_t domain, const tenure_import_desc* desc,
                             tenure_storage_info* out, tenure_status* status) noexcept {
    FakeProvider& self = provider_of(instance);
    ++self.calls.import;
    if (self.lies.import_code != 0) return self.fail(self.lies.import_code, "asked to fail", status);
    Bytes bytes(static_cast<std::byte*>(desc->address), Free{new tenure_import_desc(*desc)});
    auto storage = std::make_unique<FakeStorage>();
    *storage = {domain,
                desc->bytes,
                ++self.last_id_,
                nullptr,
                nullptr,
                std::move(bytes),
                Bytes(aligned_bytes(desc->bytes))};
    FakeStorage& made = *storage;
    tenure_storage_info info = self.info_of(made);
    info.alignment_bytes = self.lies.misaligned ? 1 : 8;
    if (self.lies.moved) info.address = made.host.get();
    tenure::abi::write_struct(out, info);
    if (self.lies.null_storage) {  // whatever it says, it has let go of the memory without giving it back
      delete made.device.get_deleter().imported;
      static_cast<void>(made.device.release());
    } else {
      self.storages_.emplace(&made, std::move(storage));
    }
    return TENURE_OK;
  }

  static void release(tenure_instance* instance, tenure_storage* handle, tenure_stream*) noexcept {
    FakeProvider& self = provider_of(instance);
    ++self.calls.release;
    auto node = self.storages_.extract(handle);
    FakePool* const pool = node.mapped()->pool;
    if (pool == nullptr) return;
    --pool->live_count;
    pool->idle.push_back(std::move(node.mapped()));
  }

  static std::int32_t map(tenure_instance* instance, tenure_storage* handle, std::uint32_t,
                          tenure_mapping* out, tenure_status* status) noexcept {
    FakeProvider& self = provider_of(instance);
    ++self.calls.map;
    if (self.lies.map_code != 0) return self.fail(self.lies.map_code, "asked to fail", status);
    FakeStorage& storage = *self.storages_.at(handle);
    std::memcpy(storage.host.get(), storage.device.get(), storage.bytes);
    auto mapping = tenure::abi::make_struct<tenure_mapping>();
    mapping.address = self.lies.null_address ? nullptr : storage.host.get() + (self.lies.misaligned ? 1 : 0);
    mapping.bytes = storage.bytes - (self.lies.short_bytes ? 1 : 0);
    tenure::abi::write_struct(out, mapping);
    return TENURE_OK;
  }

  static void unmap(tenure_instance* instance, tenure_storage* handle, std::uint32_t access) noexcept {
    FakeProvider& self = provider_of(instance);
    ++self.calls.unmap;
    if (self.at_unmap) self.at_unmap();
    FakeStorage& storage = *self.storages_.at(handle);
    if ((access & TENURE_ACCESS_HOST_WRITE) == 0) return;
    std::memcpy(storage.device.get(), storage.host.get(), storage.bytes);
  }

  static std::int32_t copy(tenure_instance* instance, const tenure_copy_desc* desc, tenure_stream*,
                           tenure_status* status) noexcept {
    FakeProvider& self = provider_of(instance);
    ++self.calls.copy;
    if (self.lies.copy_code != 0) return self.fail(self.lies.copy_code, "asked to fail", status);
    const bool strided = desc->source.strides != nullptr || desc->target.strides != nullptr;
    if (strided && !self.walks_strides) return self.fail(TENURE_UNIMPLEMENTED, "no strides", status);
    const auto end_of = [&](const tenure_place& place) {
      std::byte* const base = place.storage == nullptr ? static_cast<std::byte*>(place.address)
                                                       : self.device_bytes(place.storage);
      End end{base + place.offset_bytes, {}};
      std::int64_t compact = 1;
      for (std::uint32_t axis = 0; axis < desc->rank; ++axis) {
        end.strides.push_back(place.strides == nullptr ? compact : place.strides[axis]);
        compact *= desc->extents[axis];
      }
      return end;
    };
    copy_box(end_of(desc->source), end_of(desc->target), desc->extents, desc->rank, desc->element_bytes);
    return TENURE_OK;
  }

  static std::uint64_t trim(tenure_instance*, std::uint64_t, std::uint64_t retained_bytes) noexcept {
    return retained_bytes + 1;
  }

  static std::int32_t pool_create(tenure_instance* instance, std::uint64_t domain,
                                  const tenure_pool_options* options, tenure_pool** out,
                                  tenure_status* status) noexcept {
    FakeProvider& self = provider_of(instance);
    if (self.lies.create_code != 0) return self.fail(self.lies.create_code, "asked to fail", status);
    self.pool_mode = options->mode;
    self.pool_mode_is_set = options->mode_is_set != 0;
    self.pool_retained_bytes_max = options->retained_bytes_max;
    self.pool_trace_events_max = options->trace_events_max;
    if (self.lies.null_storage) return TENURE_OK;
    auto pool = std::make_unique<FakePool>(FakePool{&self, domain});
    *out = reinterpret_cast<tenure_pool*>(pool.get());
    self.pools_.emplace(*out, std::move(pool));
    return TENURE_OK;
  }

  static FakePool& pool_of(tenure_pool* pool) noexcept { return *reinterpret_cast<FakePool*>(pool); }

  static void pool_release(tenure_pool* handle) noexcept {
    FakeProvider& self = *pool_of(handle).provider;
    for (auto& [each, storage] : self.storages_) {
      if (storage->pool == &pool_of(handle)) storage->pool = nullptr;
    }
    self.pools_.erase(handle);
  }

  static std::int32_t acquire(tenure_pool* handle, std::uint64_t bytes, std::uint64_t alignment_bytes,
                              tenure_storage_info* out, tenure_status* status) noexcept {
    FakePool& pool = pool_of(handle);
    ++pool.provider->calls.acquire;
    return pool.provider->make(pool.domain, bytes, alignment_bytes, &pool, out, status);
  }

  static void detach(tenure_instance* instance, tenure_storage* handle) noexcept {
    FakeProvider& self = provider_of(instance);
    ++self.calls.detach;
    FakeStorage& storage = *self.storages_.at(handle);
    if (storage.pool != nullptr) --storage.pool->live_count;
    storage.pool = nullptr;
  }

  static std::int32_t give_back(tenure_pool* handle, tenure_storage* storage,
                                tenure_status* status) noexcept {
    FakePool& pool = pool_of(handle);
    FakeProvider& self = *pool.provider;
    ++self.calls.give_back;
    if (self.storages_.at(storage)->origin != &pool) {
      return self.fail(TENURE_INVALID_ARGUMENT, "not a block of this pool", status);
    }
    pool.idle.push_back(std::move(self.storages_.extract(storage).mapped()));
    return TENURE_OK;
  }

  static std::int32_t pool_statistics(tenure_pool* handle, tenure_pool_statistics* out,
                                      tenure_status* status) noexcept {
    const FakePool& pool = pool_of(handle);
    if (pool.provider->lies.statistics_code != 0) {
      return pool.provider->fail(pool.provider->lies.statistics_code, "asked to fail", status);
    }
    auto answer = tenure::abi::make_struct<tenure_pool_statistics>();
    answer.buffers = pool.idle.size();
    for (const auto& storage : pool.idle) answer.capacity_bytes += storage->bytes;
    answer.live_count = pool.live_count;
    answer.hits = pool.hits;
    tenure::abi::write_struct(out, answer);
    return TENURE_OK;
  }

  static std::uint64_t pool_trim(tenure_pool* handle, std::uint64_t) noexcept {
    FakePool& pool = pool_of(handle);
    std::uint64_t bytes = 0;
    for (const auto& storage : pool.idle) bytes += storage->bytes;
    pool.idle.clear();
    return bytes;
  }

  static std::int32_t snapshot_create(tenure_pool* handle, const tenure_pool_snapshot** out,
                                      tenure_status* status) noexcept {
    const FakeProvider& self = *pool_of(handle).provider;
    if (self.snapshot_code != 0) return self.fail(self.snapshot_code, "asked to fail", status);
    *out = self.snapshot;
    return TENURE_OK;
  }

  static void snapshot_release(tenure_pool* handle, const tenure_pool_snapshot*) noexcept {
    ++pool_of(handle).provider->calls.snapshot_release;
  }

  static tenure_instance_api instance_table() {
    auto table = tenure::abi::make_struct<tenure_instance_api>();
    table.domain_statistics = statistics;
    table.can_copy = can_copy;
    table.storage_create = create;
    table.storage_import = import;
    table.storage_release = release;
    table.storage_map = map;
    table.storage_unmap = unmap;
    table.copy = copy;
    table.trim = trim;
    return table;
  }

  static tenure_pool_api pool_table(Pools pools) {
    auto table = tenure::abi::make_struct<tenure_pool_api>();
    table.pool_create = pool_create;
    table.pool_release = pool_release;
    table.acquire = acquire;
    table.detach = detach;
    table.give_back = give_back;
    table.statistics = pool_statistics;
    table.trim = pool_trim;
    table.thread_exit = [](tenure_instance*, std::uint32_t) noexcept {};
    if (pools == Pools::with_snapshots) {
      table.snapshot_create = snapshot_create;
      table.snapshot_release = snapshot_release;
    }
    return table;
  }
};

std::int32_t FakeProvider::fail(std::int32_t code, std::string_view message, tenure_status* status) const {
  if (status != nullptr) {
    status->code = code;
    status->flags = lies.retryable ? TENURE_STATUS_RETRYABLE : 0;
    message.copy(status->message, sizeof(status->message) - 1);
    status->message[message.size()] = '\0';
  }
  return code;
}

std::byte* FakeProvider::device_bytes(const tenure_storage* storage) {
  return storages_.at(storage)->device.get();
}

void FakeProvider::list_copy(std::uint64_t source, std::uint64_t target, bool listed) {
  const auto at = [](std::uint64_t domain) { return std::min<std::uint64_t>(domain, domain_count); };
  listed_[at(source)][at(target)] = listed;
}

tenure_storage_info FakeProvider::info_of(FakeStorage& storage) const {
  auto info = tenure::abi::make_struct<tenure_storage_info>();
  info.storage = lies.null_storage ? nullptr : reinterpret_cast<tenure_storage*>(&storage);
  const bool reached = storage.domain == pageable || storage.domain == coherent;
  if (reached && !lies.null_address) info.address = storage.device.get() + (lies.misaligned ? 1 : 0);
  info.bytes = storage.bytes - (lies.short_bytes ? 1 : 0);
  info.alignment_bytes = alignment_bytes_min;
  info.allocation_id = lies.no_identity || storage.domain == pageable ? 0 : storage.id;
  return info;
}

std::int32_t FakeProvider::make(std::uint64_t domain, std::uint64_t bytes, std::uint64_t, FakePool* pool,
                                tenure_storage_info* out, tenure_status* status) {
  if (lies.create_code != 0) return fail(lies.create_code, "asked to fail", status);
  std::unique_ptr<FakeStorage> storage;
  if (pool != nullptr) {
    const auto found = std::ranges::find(pool->idle, bytes, [](const auto& each) { return each->bytes; });
    if (found != pool->idle.end()) {
      storage = std::move(*found);
      pool->idle.erase(found);
      ++pool->hits;
    }
    ++pool->live_count;
  }
  if (storage == nullptr) {
    storage = std::make_unique<FakeStorage>();
    *storage = {domain, bytes, 0, pool, pool, Bytes(aligned_bytes(bytes)), Bytes(aligned_bytes(bytes))};
  }
  storage->pool = pool;
  storage->id = ++last_id_;
  FakeStorage& made = *storage;
  tenure::abi::write_struct(out, info_of(made));
  // A lie about the handle leaves nothing behind, or the test would leak.
  if (!lies.null_storage) storages_.emplace(&made, std::move(storage));
  return TENURE_OK;
}

FakeProvider::FakeProvider(Pools pools)
    : listed_(domain_count + 1, std::vector<bool>(domain_count + 1, true)) {
  list_copy(device, TENURE_DOMAIN_HOST, false);
  list_copy(TENURE_DOMAIN_HOST, device, false);

  static tenure::Module::Facts module_facts = [] {
    tenure::Module::Facts facts;
    facts.card.id = "org.tenure.test";
    facts.table.provider.close = [](tenure_instance* instance) noexcept {
      ++provider_of(instance).calls.close;
    };
    return facts;
  }();
  static const tenure::Module module(module_facts);

  tenure::InstanceControl::Facts facts;
  facts.handle = reinterpret_cast<tenure_instance*>(this);
  facts.api = Table::instance_table();
  if (pools != Pools::none) facts.pool_api = Table::pool_table(pools);
  constexpr std::uint32_t host = TENURE_ACCESS_HOST_READ | TENURE_ACCESS_HOST_WRITE;
  constexpr std::uint32_t coherent_bits = host | TENURE_ACCESS_COHERENT;
  facts.domains = {
      domain_info(pageable, "test:0/pageable", TENURE_MEMORY_PAGEABLE, coherent_bits),
      domain_info(managed, "test:0/managed", TENURE_MEMORY_MANAGED, host | TENURE_ACCESS_DEVICE),
      domain_info(coherent, "test:0/coherent", TENURE_MEMORY_SHARED, coherent_bits | TENURE_ACCESS_DEVICE),
      domain_info(device, "test:0/device", TENURE_MEMORY_DEVICE, TENURE_ACCESS_DEVICE),
      domain_info(read_only, "test:0/read_only", TENURE_MEMORY_PINNED, TENURE_ACCESS_HOST_READ)};
  control_ = &tenure::InstanceControl::adopt(module, std::move(facts));
}

FakeProvider::~FakeProvider() { control_->drain(); }

}  // namespace tenure_test
