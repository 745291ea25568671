// SPDX-License-Identifier: Apache-2.0
#include "memory/provider_lie.hpp"

namespace tenure::inline TENURE_BUILD {

ProviderError provider_lie(std::string_view operation, const InstanceControl& instance,
                           const std::string& attempt, std::string_view lie, std::string_view consequence) {
  std::string message = attempt + ": the provider reported success, but ";
  message.append(lie);
  if (!consequence.empty()) message.append(", and ").append(consequence);
  message.append("; provider-probe check finds such defects");
  return {std::string(operation), instance.provider_id(), TENURE_INTERNAL, std::move(message)};
}

}  // namespace tenure::inline TENURE_BUILD
