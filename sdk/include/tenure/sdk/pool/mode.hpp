// SPDX-License-Identifier: Apache-2.0
// mode: what a pool does with its blocks beyond recycling them.
#pragma once

#include <cstdint>

#include "tenure/provider_pool.h"
#include "tenure/sdk/pool/address_sanitizer.hpp"

#pragma GCC visibility push(hidden)
namespace tenure::sdk::pool {

enum class Mode : std::uint32_t {
  count = TENURE_POOL_COUNT,    // statistics only
  poison = TENURE_POOL_POISON,  // overwrites released and handed-out blocks with two kinds of NaN
  guard = TENURE_POOL_GUARD,    // notices writes in front of and behind a block
  bypass = TENURE_POOL_BYPASS,  // keeps nothing: every block comes from the system at its exact size
  trace = TENURE_POOL_TRACE,    // count, and keeps the last events for snapshots
};

// Bypass under AddressSanitizer, which then sees every block as an allocation of its own.
inline constexpr Mode default_mode = is_address_sanitized ? Mode::bypass : Mode::count;

}  // namespace tenure::sdk::pool
#pragma GCC visibility pop
