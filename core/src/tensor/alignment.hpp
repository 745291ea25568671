// SPDX-License-Identifier: Apache-2.0
// alignment: whether bytes lie where elements of a dtype may begin.
#pragma once

#include <cstddef>

#include "memory/allocation_record.hpp"
#include "tenure/layout/dtype.hpp"

namespace tenure::inline TENURE_BUILD {

// Of bytes that begin at `address` or, where the host has none, as the record promises. Throws Misaligned.
void require_aligned(const char* operation, const std::byte* address, const AllocationRecord* record,
                     DType dtype);

}  // namespace tenure::inline TENURE_BUILD
