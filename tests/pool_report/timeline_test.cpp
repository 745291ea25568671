// SPDX-License-Identifier: Apache-2.0
#include "timeline.hpp"

#include <doctest/doctest.h>

#include "support/sample_snapshot.hpp"

using namespace tenure;
using pool_report::timeline;
using pool_report::TimelinePoint;

TEST_CASE("timeline: one point before the first event and one after each, up to what the statistics say") {
  const auto points = timeline(test::sample_snapshot());
  REQUIRE(points.size() == 11);
  CHECK(points[0].reserved_bytes() == 0);
  CHECK(points[2].live_bytes == 1024);
  CHECK(points[5].live_bytes == 64);
  CHECK(points[5].idle_bytes == 1024);
  CHECK(points[8].reserved_bytes() == 3136);
  CHECK(points[9].reserved_bytes() == 1088);
  CHECK(points[10].live_bytes == 1024);
  CHECK(points[10].idle_bytes == 64);
}

TEST_CASE("timeline: a trace without its beginning gives the same points from there on") {
  const auto whole = timeline(test::sample_snapshot());
  for (std::size_t dropped = 0; dropped <= 10; ++dropped) {
    PoolSnapshot snapshot = test::sample_snapshot();
    snapshot.events.erase(snapshot.events.begin(),
                          snapshot.events.begin() + static_cast<std::ptrdiff_t>(dropped));
    snapshot.dropped_events = dropped;
    const auto points = timeline(snapshot);
    REQUIRE(points.size() == whole.size() - dropped);
    for (std::size_t i = 0; i < points.size(); ++i) {
      CHECK(points[i].live_bytes == whole[i + dropped].live_bytes);
      CHECK(points[i].idle_bytes == whole[i + dropped].idle_bytes);
    }
  }
}

TEST_CASE("timeline: events that the statistics do not bear out never give a negative number") {
  PoolSnapshot snapshot = test::sample_snapshot();
  snapshot.statistics.live_bytes = snapshot.statistics.capacity_bytes = 0;
  for (const TimelinePoint& point : timeline(snapshot)) {
    CHECK(point.live_bytes < (std::uint64_t{1} << 40));
    CHECK(point.idle_bytes < (std::uint64_t{1} << 40));
  }
}
