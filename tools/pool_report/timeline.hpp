// SPDX-License-Identifier: Apache-2.0
// timeline: what a pool held after each of its events.
#pragma once

#include <cstdint>
#include <vector>

#include "tenure/memory/pool_snapshot.hpp"

namespace tenure::pool_report {

struct TimelinePoint {
  std::uint64_t live_bytes = 0;
  std::uint64_t idle_bytes = 0;

  std::uint64_t reserved_bytes() const noexcept { return live_bytes + idle_bytes; }
};

// One point more than there are events: the first is before all of them, the last is what the snapshot's
// statistics say. So it is right also where the trace lacks its beginning.
std::vector<TimelinePoint> timeline(const PoolSnapshot& snapshot);

}  // namespace tenure::pool_report
