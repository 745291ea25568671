// SPDX-License-Identifier: Apache-2.0
#include "tenure/memory/allocation_domain.hpp"

#include "memory/block_storage.hpp"
#include "memory/provider_call.hpp"
#include "memory/provider_status.hpp"
#include "tenure/abi/struct_head.hpp"
#include "tenure/loader/instance.hpp"

namespace tenure::inline TENURE_BUILD {
namespace {

DomainStatistics ask_statistics(const char* operation, const DomainRecord& domain) {
  InstanceControl& instance = *domain.instance;
  const ProviderCall call(instance);
  auto answer = abi::make_struct<tenure_domain_statistics>();
  ProviderStatus status;
  const std::int32_t code =
      instance.api().domain_statistics(instance.handle(), domain.index, &answer, status.get());
  if (code != TENURE_OK) {
    throw status.error(operation, instance, "asking for the statistics of " + domain.name, code);
  }
  return {.live_count = answer.live_count,
          .live_bytes = answer.live_bytes,
          .reserved_bytes = answer.reserved_bytes,
          .peak_bytes = answer.peak_bytes,
          .create_calls = answer.create_calls,
          .release_calls = answer.release_calls,
          .failed_calls = answer.failed_calls};
}

}  // namespace

AllocationDomainId AllocationDomain::id() const noexcept { return {record_->id}; }
std::string_view AllocationDomain::name() const noexcept { return record_->name; }
const DomainInfo& AllocationDomain::info() const noexcept { return *record_; }
Placement AllocationDomain::placement() const noexcept { return placement_in(*record_); }
bool AllocationDomain::is_host_readable() const noexcept { return record_->allows(TENURE_ACCESS_HOST_READ); }
bool AllocationDomain::is_host_writable() const noexcept { return record_->allows(TENURE_ACCESS_HOST_WRITE); }
bool AllocationDomain::is_coherent() const noexcept { return record_->allows(TENURE_ACCESS_COHERENT); }

Storage AllocationDomain::allocate(std::size_t bytes, std::size_t alignment_bytes) const {
  return allocate_for("AllocationDomain::allocate", bytes, alignment_bytes);
}

Storage AllocationDomain::allocate_for(const char* operation, std::size_t bytes,
                                       std::size_t alignment_bytes) const {
  return BlockStorage::make({operation, *record_, nullptr, bytes, alignment_bytes});
}

Storage AllocationDomain::import_memory(DataPtr&& pointer, std::size_t bytes) const {
  return import_memory_for("AllocationDomain::import_memory", std::move(pointer), bytes, 1, bytes);
}

Storage AllocationDomain::import_memory_for(const char* operation, DataPtr&& pointer, std::size_t bytes,
                                            std::size_t alignment_bytes, std::size_t owned_bytes) const {
  if (bytes == 0) return Storage::adopt(std::move(pointer), 0);
  return BlockStorage::import({operation, *record_, bytes, alignment_bytes, owned_bytes}, std::move(pointer));
}

DomainStatistics AllocationDomain::statistics() const {
  return ask_statistics("AllocationDomain::statistics", *record_);
}

std::size_t AllocationDomain::trim(std::size_t retained_bytes) const {
  const ProviderCall call(*record_->instance);
  return record_->instance->api().trim(record_->instance->handle(), record_->index, retained_bytes);
}

AllocationDomain Instance::domain(std::string_view name) const {
  return AllocationDomain(&control()->find_domain("Instance::domain", name));
}

DomainStatistics Instance::statistics(std::string_view domain) const {
  constexpr const char* operation = "Instance::statistics";
  return ask_statistics(operation, control()->find_domain(operation, domain));
}

AllocationDomain Instance::default_domain() const { return AllocationDomain(control()->default_domain()); }

}  // namespace tenure::inline TENURE_BUILD
