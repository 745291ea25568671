// SPDX-License-Identifier: Apache-2.0
// host_services: the table of functions that the core lends to a provider.
#pragma once

#include <string>

#include "tenure/config.h"
#include "tenure/provider_abi.h"

namespace tenure::inline TENURE_BUILD {

// One table for each provider id, so that a log line says whose it is. Lives as long as the process, as
// providers may keep it.
const tenure_host& host_services_of(const std::string& provider_id);

}  // namespace tenure::inline TENURE_BUILD
