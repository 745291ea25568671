// SPDX-License-Identifier: Apache-2.0
#include "timeline.hpp"

#include <cstdint>

namespace tenure::pool_report {
namespace {

// What is added; taking away wraps around, as sums of any numbers in a document may.
struct Change {
  std::uint64_t live_bytes = 0;
  std::uint64_t idle_bytes = 0;
};

Change change_by(const PoolEvent& event) {
  const std::uint64_t bytes = event.capacity_bytes;
  switch (event.kind) {
    case PoolEventKind::acquire:
      if (event.outcome == PoolEventOutcome::hit) return {bytes, 0 - bytes};
      if (event.outcome == PoolEventOutcome::miss) return {bytes, 0};
      return {};
    case PoolEventKind::release:
      return {0 - bytes, bytes};
    case PoolEventKind::detach:
      return {0 - bytes, 0};
    case PoolEventKind::give_back:
      return {bytes, 0};
    case PoolEventKind::free:
      return {0, 0 - bytes};
    case PoolEventKind::free_detached:
    case PoolEventKind::trim:
    case PoolEventKind::thread_exit:
    case PoolEventKind::allocate:
    case PoolEventKind::evict:
      return {};
  }
  return {};
}

// A snapshot that was made while other threads used the pool may differ from its events by a few blocks.
std::uint64_t not_negative(std::uint64_t bytes) { return bytes > INT64_MAX ? 0 : bytes; }

}  // namespace

std::vector<TimelinePoint> timeline(const PoolSnapshot& snapshot) {
  std::vector<TimelinePoint> points(snapshot.events.size() + 1);
  std::uint64_t live_bytes = snapshot.statistics.live_bytes;
  std::uint64_t idle_bytes = snapshot.statistics.capacity_bytes;
  for (std::size_t at = points.size(); at-- > 0;) {
    points[at] = {not_negative(live_bytes), not_negative(idle_bytes)};
    if (at == 0) break;
    const Change change = change_by(snapshot.events[at - 1]);
    live_bytes -= change.live_bytes;
    idle_bytes -= change.idle_bytes;
  }
  return points;
}

}  // namespace tenure::pool_report
