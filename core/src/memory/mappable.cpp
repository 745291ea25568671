// SPDX-License-Identifier: Apache-2.0
#include "memory/mappable.hpp"

#include <string>

#include "tenure/base/access_error.hpp"

namespace tenure::inline TENURE_BUILD {

void throw_not_mappable(std::string_view operation, const DomainRecord& domain, std::uint32_t missing) {
  const bool for_reading = (missing & TENURE_ACCESS_HOST_READ) != 0;
  throw AccessError(
      AccessError::Kind::not_mappable, std::string(operation),
      {for_reading ? "a read map" : "a write map", "memory of " + domain.name + ", which does not allow it",
       for_reading ? "download() copies it to the host" : "upload() or copy_into() write it"});
}

}  // namespace tenure::inline TENURE_BUILD
