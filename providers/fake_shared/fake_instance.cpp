// SPDX-License-Identifier: Apache-2.0
#include "fake_instance.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "tenure/sdk/error.hpp"
#include "tenure/sdk/pool/poison.hpp"
#include "tenure/sdk/pool/pool_options.hpp"
#include "tenure/sdk/strided_copy.hpp"
#include "tenure/sdk/transfer.hpp"

namespace tenure::fake {
namespace {

constexpr std::int64_t default_memory_bytes = std::int64_t{1} << 30;
constexpr std::int64_t memory_bytes_min = std::int64_t{1} << 12;
constexpr std::int64_t memory_bytes_max = std::int64_t{1} << 40;

// Null for plain host memory.
FakeStorage* storage_of(const tenure_place& place) noexcept {
  return reinterpret_cast<FakeStorage*>(place.storage);
}

sdk::CopyMemory copy_memory(const tenure_place& place) noexcept {
  const FakeStorage* const storage = storage_of(place);
  if (storage == nullptr) return {place.address, {}};
  return {storage->address, storage->bytes};
}

std::string_view name_of(const sdk::Domain* domain) noexcept {
  return domain == nullptr ? std::string_view("host memory") : domain->name;
}

sdk::Error out_of_memory(const FakeDomain& domain, std::uint64_t bytes) {
  return {TENURE_RESOURCE_EXHAUSTED, domain.facts().name + " has no room for " + std::to_string(bytes) +
                                         " bytes: " + std::to_string(domain.statistics().reserved_bytes) +
                                         " of its " + std::to_string(domain.facts().quota_bytes) +
                                         " are reserved; release storage or open with a larger memory_bytes"};
}

}  // namespace

FakeInstance::FakeInstance(const sdk::Host& host, sdk::OpenOptions& options)
    : host_(host),
      memory_bytes_(static_cast<std::uint64_t>(
          options.integer("memory_bytes", default_memory_bytes, memory_bytes_min, memory_bytes_max))) {
  for (sdk::Domain& facts : make_domain_list(memory_bytes_)) {
    domains_.emplace_back(domains_.size(), std::move(facts));
  }
}

std::vector<sdk::Domain> FakeInstance::domains() const {
  std::vector<sdk::Domain> list;
  for (const FakeDomain& domain : domains_) list.push_back(domain.facts());
  return list;
}

std::vector<sdk::Device> FakeInstance::devices() const {
  const sdk::Domain& managed = domains_.front().facts();
  return {{.name = "fake:0", .dlpack_type = managed.dlpack_type, .dlpack_id = managed.dlpack_id}};
}

FakeStorage& FakeInstance::hand_out(FakeDomain& domain, FakeStorage& storage,
                                    std::uint64_t asked_bytes) noexcept {
  storage.payload.domain = &domain;
  storage.payload.id = next_allocation_id_.fetch_add(1, std::memory_order_relaxed);
  storage.payload.asked_bytes = asked_bytes;
  domain.count_made(asked_bytes, storage.core != nullptr);
  return storage;
}

FakeStorage* FakeInstance::create(std::uint64_t index, const sdk::StorageRequest& request) {
  FakeDomain& domain = domains_[index];
  auto storage = std::make_unique<FakeStorage>();
  storage->address = domain.acquire(request.bytes, request.alignment_bytes);
  if (storage->address == nullptr) throw out_of_memory(domain, request.bytes);
  storage->bytes = request.bytes;
  storage->alignment_bytes = request.alignment_bytes;
  if (request.zero) {
    std::memset(storage->address, 0, request.bytes);
  } else {
    sdk::pool::fill_unwritten(storage->address, request.bytes);
  }
  return &hand_out(domain, *storage.release(), request.bytes);
}

FakeStorage* FakeInstance::import_memory(std::uint64_t index, const tenure_import_desc& desc) {
  FakeDomain& domain = domains_[index];
  if ((domain.facts().access & sdk::mapped_host_access) == 0) {
    throw sdk::Error(TENURE_FAILED_PRECONDITION, domain.facts().name +
                                                     " takes over no host memory; import it into " +
                                                     domains_.front().facts().name + " or copy it");
  }
  sdk::require_pointer(desc.address, "import: the address");
  auto storage = std::make_unique<FakeStorage>();
  storage->address = desc.address;
  storage->bytes = desc.bytes;
  storage->alignment_bytes = sdk::address_alignment_bytes(desc.address);
  storage->payload.imported = desc;
  return &hand_out(domain, *storage.release(), desc.bytes);
}

void FakeInstance::release(FakeStorage& storage) noexcept {
  FakeDomain& domain = *storage.payload.domain;
  if (storage.payload.maps.drop()) {
    host_.log(TENURE_LOG_ERROR, "storage_release: a storage was released while it was mapped");
  }
  domain.count_released(storage.payload.asked_bytes, storage.core != nullptr);
  if (storage.core != nullptr) return FakeBlockPool::release(storage);

  const std::unique_ptr<FakeStorage> owned(&storage);
  if (const auto& imported = storage.payload.imported; !imported) {
    domain.release(storage.address, storage.bytes, storage.alignment_bytes);
  } else if (imported->release != nullptr) {
    imported->release(imported->context);
  }
}

sdk::StorageFacts FakeInstance::facts(const FakeStorage& storage) noexcept {
  const FakeDomain& domain = *storage.payload.domain;
  return {.address = domain.is_coherent() ? storage.address : nullptr,
          .bytes = storage.bytes,
          .alignment_bytes = storage.alignment_bytes,
          .allocation_id = storage.payload.id,
          .domain = domain.index()};
}

void* FakeInstance::map(FakeStorage& storage, std::uint32_t access) {
  return storage.payload.maps.begin(mapped_memory(storage), access);
}

void FakeInstance::unmap(FakeStorage& storage, std::uint32_t access) noexcept {
  if (storage.payload.maps.end(mapped_memory(storage), access)) return;
  host_.log(TENURE_LOG_ERROR, "storage_unmap: no map with this access is alive; nothing was unmapped");
}

const sdk::Domain* FakeInstance::facts_of(std::uint64_t index) const noexcept {
  return index == TENURE_DOMAIN_HOST ? nullptr : &domains_[index].facts();
}

bool FakeInstance::can_copy(std::uint64_t source, std::uint64_t target) noexcept {
  return fake::can_copy(facts_of(source), facts_of(target));
}

void FakeInstance::copy(const tenure_copy_desc& desc, tenure_stream* /*stream*/) {
  FakeStorage* const source = storage_of(desc.source);
  FakeStorage* const target = storage_of(desc.target);
  const sdk::Domain* const source_facts = source == nullptr ? nullptr : &source->payload.domain->facts();
  const sdk::Domain* const target_facts = target == nullptr ? nullptr : &target->payload.domain->facts();
  if (!fake::can_copy(source_facts, target_facts)) {
    throw sdk::Error(TENURE_FAILED_PRECONDITION, "copy: neither the host nor the device reaches both " +
                                                     std::string(name_of(source_facts)) + " and " +
                                                     std::string(name_of(target_facts)) +
                                                     "; copy through host memory");
  }
  std::optional<FakeTransfer> reading, writing;
  if (source != nullptr) reading.emplace(source->payload.maps, TENURE_ACCESS_HOST_READ, "copying from it");
  if (target != nullptr) writing.emplace(target->payload.maps, TENURE_ACCESS_HOST_WRITE, "copying to it");
  sdk::copy_between(desc, copy_memory(desc.source), copy_memory(desc.target));
}

void FakeInstance::fill(const tenure_fill_desc& desc, tenure_stream* /*stream*/) {
  sdk::require_pointer(desc.storage, "fill: the storage");
  FakeStorage& storage = *reinterpret_cast<FakeStorage*>(desc.storage);
  sdk::require_within("fill: the range", storage.bytes, desc.offset_bytes,
                      {0, static_cast<std::int64_t>(std::min<std::uint64_t>(desc.bytes, INT64_MAX))});
  const FakeTransfer writing(storage.payload.maps, TENURE_ACCESS_HOST_WRITE, "filling it");
  sdk::fill_bytes(static_cast<std::byte*>(storage.address) + desc.offset_bytes, desc.bytes, desc.pattern,
                  desc.pattern_bytes);
}

std::uint64_t FakeInstance::trim(std::uint64_t domain, std::uint64_t retained_bytes) noexcept {
  return pools_.trim(domain, retained_bytes);
}

std::unique_ptr<FakePool> FakeInstance::create_pool(std::uint64_t index, const tenure_pool_options& options) {
  FakeDomain& domain = domains_[index];
  // Idle memory leaves most of the domain to those who ask for it.
  const auto pool_options = sdk::pool::read_pool_options(
      options, {.retained_bytes_max = memory_bytes_ / 4, .bytes_max = memory_bytes_});
  FakeBlockPool pool(FakeMemory{&domain}, sdk::pool::HostThreadIndex(host_), pool_options);
  return std::make_unique<FakePool>(*this, domain, pools_.make(index, std::move(pool)));
}

}  // namespace tenure::fake
