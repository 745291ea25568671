// SPDX-License-Identifier: Apache-2.0
#include "memory/allocation_record.hpp"

namespace tenure::inline TENURE_BUILD {
namespace {

MemoryKind memory_kind_of(std::uint32_t memory) noexcept {
  switch (memory) {
    case TENURE_MEMORY_PAGEABLE:
      return MemoryKind::unpinned_host;
    case TENURE_MEMORY_PINNED:
      return MemoryKind::pinned_host;
    case TENURE_MEMORY_DEVICE:
      return MemoryKind::device;
    case TENURE_MEMORY_MANAGED:
      return MemoryKind::managed;
    case TENURE_MEMORY_SHARED:
      return MemoryKind::shared;
    default:
      return MemoryKind::other;
  }
}

}  // namespace

std::size_t alignment_at(const std::byte* address, const AllocationRecord* record) noexcept {
  const auto number = reinterpret_cast<std::uintptr_t>(address);
  if (number != 0) return number & -number;
  return record == nullptr ? 1 : record->alignment_bytes;
}

Placement placement_in(const DomainRecord& domain) noexcept {
  return {memory_kind_of(domain.memory), static_cast<std::int16_t>(domain.dlpack_type), domain.dlpack_id};
}

AllocationRecord::AllocationRecord(const DomainRecord& of_domain, const tenure_storage_info& info,
                                   std::size_t requested_bytes, std::size_t promised_alignment_bytes) noexcept
    : domain(&of_domain),
      handle(info.storage),
      allocation_id(info.allocation_id),
      placement(placement_in(of_domain)),
      coherent_address(nullptr),
      bytes(requested_bytes),
      alignment_bytes(promised_alignment_bytes) {
  // A host address gives both reading and writing, so memory that allows only one of them is mapped.
  if (domain->allows(TENURE_ACCESS_COHERENT | TENURE_ACCESS_HOST_READ | TENURE_ACCESS_HOST_WRITE)) {
    coherent_address = static_cast<std::byte*>(info.address);
  }
}

}  // namespace tenure::inline TENURE_BUILD
