// SPDX-License-Identifier: Apache-2.0
#include "tenure/memory/storage_map.hpp"

#include <string>

#include "memory/map_count.hpp"
#include "memory/mappable.hpp"
#include "memory/provider_lie.hpp"
#include "memory/provider_status.hpp"
#include "memory/refused_use.hpp"
#include "memory/thread_ledger.hpp"
#include "tenure/abi/struct_head.hpp"

namespace tenure::inline TENURE_BUILD {
namespace {

constexpr std::uint32_t host_bits = TENURE_ACCESS_HOST_READ | TENURE_ACCESS_HOST_WRITE;

std::uint32_t access_bits(const AllocationRecord& record, MapAccess access) noexcept {
  return access == MapAccess::read ? TENURE_ACCESS_HOST_READ : record.domain->access & host_bits;
}

std::string attempt_of(const AllocationRecord& record) {
  return "mapping " + std::to_string(record.bytes) + " bytes of " + record.domain->name;
}

std::string find_lie(const AllocationRecord& record, const tenure_mapping& mapping) {
  if (mapping.address == nullptr) return "the map has no address";
  if (mapping.bytes < record.bytes) return "the map has only " + std::to_string(mapping.bytes) + " bytes";
  const std::uint64_t low_bits =
      reinterpret_cast<std::uintptr_t>(mapping.address) & (record.alignment_bytes - 1);
  if (low_bits == 0) return "";
  return "the map's address is " + std::to_string(low_bits) + " bytes off the alignment of " +
         std::to_string(record.alignment_bytes);
}

std::byte* map_by_provider(std::string_view operation, const AllocationRecord& record, std::uint32_t access) {
  const InstanceControl& instance = *record.domain->instance;
  instance.require_usable();
  auto mapping = abi::make_struct<tenure_mapping>();
  ProviderStatus status;
  const std::int32_t code =
      record.api().storage_map(record.instance(), record.handle, access, &mapping, status.get());
  if (code != TENURE_OK) {
    throw_refused_use(operation, "to map memory of " + record.domain->name,
                      status.error(operation, instance, attempt_of(record), code));
  }
  ++thread_ledger.mappings;
  const std::string lie = find_lie(record, mapping);
  if (lie.empty()) return static_cast<std::byte*>(mapping.address);
  record.api().storage_unmap(record.instance(), record.handle, access);
  throw provider_lie(operation, instance, attempt_of(record), lie, "the map has been ended");
}

}  // namespace

StorageMap::StorageMap(std::string_view operation, std::byte* address, AllocationRecord* record,
                       MapAccess access)
    : address_(address), access_(access) {
  if (record == nullptr) return;
  require_mappable(operation, *record->domain,
                   access == MapAccess::read ? TENURE_ACCESS_HOST_READ : TENURE_ACCESS_HOST_WRITE);
  MapCount count(operation, *record, access);
  address_ = record->coherent_address;
  if (address_ == nullptr) address_ = map_by_provider(operation, *record, access_bits(*record, access));
  record_ = record;
  count.keep();
}

void StorageMap::end() noexcept {
  if (record_ != nullptr) {
    if (record_->coherent_address == nullptr) {
      record_->api().storage_unmap(record_->instance(), record_->handle, access_bits(*record_, access_));
    }
    MapCount::leave(*record_, access_);
  }
  address_ = nullptr;
  record_ = nullptr;
}

}  // namespace tenure::inline TENURE_BUILD
