// SPDX-License-Identifier: Apache-2.0
// copy_route: who copies elements from one allocation to another, and the copy itself.
#pragma once

#include "memory/allocation_record.hpp"
#include "tenure/layout/layout.hpp"

namespace tenure::inline TENURE_BUILD {

// One side of a copy: elements at a host address when there is no record, otherwise in the record's storage.
struct CopyEnd {
  std::byte* address;  // of element 0
  AllocationRecord* record;
  const Layout& layout;
};

// What can be known before there is a target: that memory of `source` can be copied to memory of `target`,
// the host's where null. Throws TransferError when it cannot; ProviderError (FAILED_PRECONDITION) when the
// target's instance is closed.
void require_copy_route(const char* operation, const AllocationRecord* source, const DomainRecord* target);

// Copies every index, equal on both sides, and notes it in the ledger. The ends share no byte and the target
// is injective. What it throws is said at element_copy.hpp.
void copy_elements(const char* operation, std::size_t element_bytes, const CopyEnd& source,
                   const CopyEnd& target);

}  // namespace tenure::inline TENURE_BUILD
