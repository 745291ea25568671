// SPDX-License-Identifier: Apache-2.0
#include "tenure/memory/allocation_domain.hpp"

#include "memory/block_storage.hpp"
#include "memory/provider_call.hpp"
#include "memory/provider_status.hpp"
#include "tenure/abi/struct_head.hpp"
#include "tenure/loader/instance.hpp"

namespace tenure::inline TENURE_BUILD {
namespace {

bool allows(const DomainRecord& domain, std::uint32_t access) noexcept {
  return (domain.access & access) == access;
}

}  // namespace

AllocationDomainId AllocationDomain::id() const noexcept { return {record_->id}; }
std::string_view AllocationDomain::name() const noexcept { return record_->name; }
const DomainInfo& AllocationDomain::info() const noexcept { return *record_; }
Placement AllocationDomain::placement() const noexcept { return placement_in(*record_); }
bool AllocationDomain::is_host_readable() const noexcept { return allows(*record_, TENURE_ACCESS_HOST_READ); }
bool AllocationDomain::is_host_writable() const noexcept {
  return allows(*record_, TENURE_ACCESS_HOST_WRITE);
}
bool AllocationDomain::is_coherent() const noexcept { return allows(*record_, TENURE_ACCESS_COHERENT); }

Storage AllocationDomain::allocate(std::size_t bytes, std::size_t alignment_bytes) const {
  return BlockStorage::make({"AllocationDomain::allocate", *record_, nullptr, bytes, alignment_bytes});
}

DomainStatistics AllocationDomain::statistics() const {
  InstanceControl& instance = *record_->instance;
  const ProviderCall call(instance);
  auto answer = abi::make_struct<tenure_domain_statistics>();
  ProviderStatus status;
  const std::int32_t code =
      instance.api().domain_statistics(instance.handle(), record_->index, &answer, status.get());
  if (code != TENURE_OK) {
    throw status.error("AllocationDomain::statistics", instance, "asking for statistics of " + record_->name,
                       code);
  }
  return {answer.live_count,   answer.live_bytes,    answer.reserved_bytes, answer.peak_bytes,
          answer.create_calls, answer.release_calls, answer.failed_calls};
}

std::size_t AllocationDomain::trim(std::size_t retained_bytes) const {
  const ProviderCall call(*record_->instance);
  return record_->instance->api().trim(record_->instance->handle(), record_->index, retained_bytes);
}

AllocationDomain Instance::domain(std::string_view name) const {
  return AllocationDomain(&control()->find_domain("Instance::domain", name));
}

AllocationDomain Instance::default_domain() const { return AllocationDomain(control()->default_domain()); }

}  // namespace tenure::inline TENURE_BUILD
