// SPDX-License-Identifier: Apache-2.0
// mappable: whether the host may ever map the storage of a domain.
#pragma once

#include <cstdint>
#include <string_view>

#include "loader/instance_control.hpp"

namespace tenure::inline TENURE_BUILD {

[[noreturn]] void throw_not_mappable(std::string_view operation, const DomainRecord& domain,
                                     std::uint32_t missing);

// `access` is TENURE_ACCESS_HOST_READ, TENURE_ACCESS_HOST_WRITE or both. Throws AccessError (not_mappable)
// that names the way out.
template <class Text>
void require_mappable(const Text& operation, const DomainRecord& domain, std::uint32_t access) {
  const std::uint32_t missing = access & ~domain.access;
  if (missing != 0) throw_not_mappable(operation, domain, missing);
}

}  // namespace tenure::inline TENURE_BUILD
