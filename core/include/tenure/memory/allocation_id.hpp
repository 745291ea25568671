// SPDX-License-Identifier: Apache-2.0
// allocation_id: which allocation it is. Identity is for comparing and for diagnosis, never authority.
#pragma once

#include <compare>
#include <cstdint>

#include "tenure/config.h"

namespace tenure::inline TENURE_BUILD {

// A domain, unique in this process and never reused.
struct AllocationDomainId {
  std::uint64_t value;
  friend auto operator<=>(AllocationDomainId, AllocationDomainId) = default;
};

// An allocation; never reused within its domain.
struct AllocationId {
  std::uint64_t value;
  friend auto operator<=>(AllocationId, AllocationId) = default;
};

}  // namespace tenure::inline TENURE_BUILD
