// SPDX-License-Identifier: Apache-2.0
// provider_lie: an answer of success that cannot be true.
#pragma once

#include <string>
#include <string_view>

#include "loader/instance_control.hpp"
#include "tenure/base/provider_error.hpp"

namespace tenure::inline TENURE_BUILD {

// `consequence` says what became of it; it may be empty.
ProviderError provider_lie(std::string_view operation, const InstanceControl& instance,
                           const std::string& attempt, std::string_view lie, std::string_view consequence);

}  // namespace tenure::inline TENURE_BUILD
