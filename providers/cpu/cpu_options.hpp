// SPDX-License-Identifier: Apache-2.0
// cpu_options: what a user may say when opening an instance.
#pragma once

#include <cstdint>

#include "isa_level.hpp"
#include "tenure/sdk/open_options.hpp"
#include "tenure/sdk/pool/pool_options.hpp"

namespace tenure::cpu {

// Threads of one engine, at most.
inline constexpr int threads_max = 1024;

struct CpuOptions {
  IsaLevel isa_level;
  int threads;                        // of a parallel engine that does not say
  std::uint64_t streaming_bytes_min;  // results from this size on are stored past the caches
  sdk::pool::PoolOptions pool;
};

// The keys are isa, pool_mode, pool_retained_bytes, streaming_bytes and threads. INVALID_ARGUMENT for a value
// that is none, or an ISA level that this processor does not have.
CpuOptions read_cpu_options(sdk::OpenOptions& options);

}  // namespace tenure::cpu
