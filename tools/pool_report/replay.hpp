// SPDX-License-Identifier: Apache-2.0
// replay: what a pool of other options would have made of a recorded trace.
#pragma once

#include <cstdint>
#include <stdexcept>

#include "tenure/memory/pool_snapshot.hpp"

namespace tenure::pool_report {

// A trace that cannot be replayed, and why.
class ReplayError final : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct ReplayResult {
  PoolStatistics statistics;           // after the last event
  std::uint64_t refused_recorded = 0;  // acquires without memory; they are left out
  std::uint64_t refused_replayed = 0;  // acquires that succeeded when they were recorded
};

// Does to a new pool of the domain what was done to the recorded one, in the same order and on as many
// threads. Nothing is written to the memory. With the recorded options the counts are those of the recording,
// if its threads took turns and no memory was refused. Throws ReplayError for a trace that lacks its
// beginning or has no events, and that contradicts itself; and what Pool throws.
ReplayResult replay(const PoolSnapshot& recorded, const AllocationDomain& domain, const PoolOptions& options);

}  // namespace tenure::pool_report
