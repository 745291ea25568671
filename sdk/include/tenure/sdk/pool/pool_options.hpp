// SPDX-License-Identifier: Apache-2.0
// pool_options: how a pool is to behave.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "tenure/provider_pool.h"
#include "tenure/sdk/error.hpp"
#include "tenure/sdk/pool/mode.hpp"
#include "tenure/sdk/pool/size_class.hpp"
#include "tenure/sdk/pool/trace.hpp"
#include "tenure/sdk/pool/violation.hpp"

#pragma GCC visibility push(hidden)
namespace tenure::sdk::pool {

struct PoolOptions {
  std::uint64_t retained_bytes_max = std::uint64_t{256} << 20;  // hard cap on idle memory; 0 keeps nothing
  Mode mode = default_mode;
  std::uint64_t bytes_max = block_bytes_max;  // a larger request is refused without freeing anything
  ViolationHandler on_violation{};
  std::uint64_t trace_events_max = trace_events_default;  // of mode trace
};

// `defaults`, changed as the caller of pool_create wishes. INVALID_ARGUMENT for a mode that is none.
inline PoolOptions read_pool_options(const tenure_pool_options& wanted, PoolOptions defaults) {
  if (wanted.retained_bytes_max != std::numeric_limits<std::uint64_t>::max()) {
    defaults.retained_bytes_max = wanted.retained_bytes_max;
  }
  if (wanted.mode_is_set != 0) {
    if (wanted.mode > TENURE_POOL_TRACE) {
      throw Error(TENURE_INVALID_ARGUMENT, "there is no pool mode " + std::to_string(wanted.mode) +
                                               "; expected count, poison, guard, bypass or trace");
    }
    defaults.mode = static_cast<Mode>(wanted.mode);
  }
  if (wanted.trace_events_max != 0) defaults.trace_events_max = wanted.trace_events_max;
  return defaults;
}

}  // namespace tenure::sdk::pool
#pragma GCC visibility pop
