// SPDX-License-Identifier: Apache-2.0
#include "tenure/memory/host_access.hpp"

#include <string>

#include "memory/allocation_record.hpp"
#include "tenure/base/access_error.hpp"

namespace tenure::inline TENURE_BUILD {

std::byte* require_host_address(std::string_view operation, std::byte* address,
                                const AllocationRecord* record) {
  if (address != nullptr || record == nullptr) return address;
  const DomainRecord& domain = *record->domain;
  const bool mappable = domain.allows(TENURE_ACCESS_HOST_READ) || domain.allows(TENURE_ACCESS_HOST_WRITE);
  throw AccessError(
      AccessError::Kind::not_host_accessible, std::string(operation),
      {"memory that the host reaches without a map",
       "memory of " + domain.name + (mappable ? ", which must be mapped" : ", which the host cannot map"),
       mappable ? "map_read() or map_write() give its bytes for as long as the guard lives"
                : "download() copies it to the host"});
}

}  // namespace tenure::inline TENURE_BUILD
