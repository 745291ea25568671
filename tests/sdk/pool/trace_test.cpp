// SPDX-License-Identifier: Apache-2.0
#include "tenure/sdk/pool/trace.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <new>

using tenure::sdk::pool::Trace;

namespace {

void add(Trace& trace, std::uint64_t bytes) {
  tenure_pool_event event{};
  event.bytes = bytes;
  trace.add(event);
}

}  // namespace

TEST_CASE("Trace: events keep their order and get numbers and times that do not fall") {
  Trace trace(100);
  CHECK(trace.content().events.empty());
  for (std::uint64_t i = 1; i <= 50; ++i) add(trace, i);
  const Trace::Content content = trace.content();
  CHECK(content.dropped == 0);
  REQUIRE(content.events.size() == 50);
  for (std::uint64_t i = 0; i < 50; ++i) {
    CHECK(content.events[i].sequence == i + 1);
    CHECK(content.events[i].bytes == i + 1);
    if (i > 0) CHECK(content.events[i].time_ns >= content.events[i - 1].time_ns);
  }
}

TEST_CASE("Trace: the newest events stay, and those that went are counted") {
  for (const std::uint64_t events_max : {1U, 2U, 7U, 10U}) {
    CAPTURE(events_max);
    Trace trace(events_max);
    CHECK(trace.events_max() == events_max);
    for (std::uint64_t count = 1; count <= 25; ++count) {
      add(trace, count);
      const Trace::Content content = trace.content();
      REQUIRE(content.events.size() == std::min(count, events_max));
      REQUIRE(content.dropped == count - content.events.size());
      REQUIRE(content.events.front().sequence == content.dropped + 1);
      REQUIRE(content.events.back().bytes == count);
    }
  }
}

TEST_CASE("Trace: one that no machine has memory for is refused") {
  CHECK_THROWS_AS(Trace(std::numeric_limits<std::uint64_t>::max() / 64), std::bad_alloc);
}
