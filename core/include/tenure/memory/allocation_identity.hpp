// SPDX-License-Identifier: Apache-2.0
// allocation_identity: what an allocation shows of where it is and which one it is.
#pragma once

#include <cstddef>
#include <optional>

#include "tenure/memory/allocation_domain.hpp"
#include "tenure/memory/allocation_id.hpp"
#include "tenure/memory/placement.hpp"

namespace tenure::inline TENURE_BUILD {

struct AllocationRecord;

// What the record of an allocation says. Plain host memory has no record, and no identity: it shows neither
// domain nor id, also when it came from a pool, and is unpinned host.
TENURE_API std::optional<AllocationDomain> domain_of(const AllocationRecord* record) noexcept;
TENURE_API std::optional<AllocationId> allocation_id_of(const AllocationRecord* record) noexcept;
TENURE_API Placement placement_of(const AllocationRecord* record) noexcept;

// An allocation as storages and views know it. `address` is that of its first byte.
struct AllocationPlace {
  const std::byte* address;
  const AllocationRecord* record;
};

// By identity where there is one, otherwise by address; no bytes are in no allocation.
TENURE_API bool same_allocation(const AllocationPlace& a, const AllocationPlace& b) noexcept;

}  // namespace tenure::inline TENURE_BUILD
