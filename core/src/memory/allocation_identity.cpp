// SPDX-License-Identifier: Apache-2.0
#include "tenure/memory/allocation_identity.hpp"

#include "memory/allocation_record.hpp"

namespace tenure::inline TENURE_BUILD {

std::optional<AllocationDomain> domain_of(const AllocationRecord* record) noexcept {
  if (record == nullptr) return std::nullopt;
  return AllocationDomain(record->domain);
}

std::optional<AllocationId> allocation_id_of(const AllocationRecord* record) noexcept {
  if (record == nullptr) return std::nullopt;
  return AllocationId{record->allocation_id};
}

Placement placement_of(const AllocationRecord* record) noexcept {
  return record == nullptr ? Placement{} : record->placement;
}

bool same_allocation(const AllocationPlace& a, const AllocationPlace& b) noexcept {
  if (a.record != nullptr && b.record != nullptr) {
    return a.record->domain->id == b.record->domain->id && a.record->allocation_id == b.record->allocation_id;
  }
  return a.record == b.record && a.address != nullptr && a.address == b.address;
}

}  // namespace tenure::inline TENURE_BUILD
