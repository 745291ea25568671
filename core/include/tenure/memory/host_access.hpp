// SPDX-License-Identifier: Apache-2.0
// host_access: the demand that bytes have a host address without a map.
#pragma once

#include <cstddef>
#include <string_view>

#include "tenure/config.h"

namespace tenure::inline TENURE_BUILD {

struct AllocationRecord;

// `address` if it is not null, or if there is no record, since then there are no bytes. Throws AccessError
// (not_host_accessible) naming `map_read` and `map_write` where the host can map the memory, otherwise
// `download`.
TENURE_API std::byte* require_host_address(std::string_view operation, std::byte* address,
                                           const AllocationRecord* record);

}  // namespace tenure::inline TENURE_BUILD
