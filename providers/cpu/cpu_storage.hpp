// SPDX-License-Identifier: Apache-2.0
// cpu_storage: one allocation of host memory, from a pool or by itself.
#pragma once

#include "tenure/sdk/pool/host_upstream.hpp"
#include "tenure/sdk/pool/pool.hpp"
#include "tenure/sdk/pool/thread_index.hpp"

namespace tenure::cpu {

using CpuPool = sdk::pool::Pool<sdk::pool::HostUpstream, sdk::pool::HostThreadIndex>;

// What tenure_storage* points to. One that was made without a pool has no core.
using CpuStorage = CpuPool::Block;

}  // namespace tenure::cpu
