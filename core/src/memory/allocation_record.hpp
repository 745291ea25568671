// SPDX-License-Identifier: Apache-2.0
// allocation_record: what is known about one block of provider memory, shared by its storage and all views.
#pragma once

#include <cstddef>
#include <cstdint>

#include "loader/instance_control.hpp"
#include "memory/use_count.hpp"
#include "tenure/memory/placement.hpp"

namespace tenure::inline TENURE_BUILD {

// Owned by the storage; views and maps point at it while the storage lives. Constant except for `maps`.
struct AllocationRecord {
  const DomainRecord* domain;
  tenure_storage* handle;
  std::uint64_t allocation_id;
  Placement placement;
  // Of coherent memory that the host may read and write; null: the memory is reached through maps only.
  std::byte* coherent_address;
  std::size_t bytes;
  std::size_t alignment_bytes;  // of every host address that the provider gives
  UseCount maps;

  // `info` is the provider's answer to a request for `requested_bytes`.
  AllocationRecord(const DomainRecord& of_domain, const tenure_storage_info& info,
                   std::size_t requested_bytes, std::size_t promised_alignment_bytes) noexcept;

  const tenure_instance_api& api() const noexcept { return domain->instance->api(); }
  tenure_instance* instance() const noexcept { return domain->instance->handle(); }
};

// Of bytes that begin at `address` or, where the host has none, as the record promises; 1 without either.
std::size_t alignment_at(const std::byte* address, const AllocationRecord* record) noexcept;

// What a storage of the domain shows as its placement.
Placement placement_in(const DomainRecord& domain) noexcept;

}  // namespace tenure::inline TENURE_BUILD
