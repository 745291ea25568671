// SPDX-License-Identifier: Apache-2.0
// mappable: whether the host may ever map the storage of a domain.
#pragma once

#include <cstdint>
#include <string_view>

#include "loader/instance_control.hpp"

namespace tenure::inline TENURE_BUILD {

// `access` is TENURE_ACCESS_HOST_READ, TENURE_ACCESS_HOST_WRITE or both. Throws AccessError (not_mappable)
// that names the way out.
void require_mappable(std::string_view operation, const DomainRecord& domain, std::uint32_t access);

}  // namespace tenure::inline TENURE_BUILD
