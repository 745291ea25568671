// SPDX-License-Identifier: Apache-2.0
// What a pool says about its blocks and its events, beside its statistics and beside what a test did.
#include "tenure/sdk/pool/snapshot.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "recording_upstream.hpp"

using namespace tenure::sdk::pool;
using tenure::test::PoolFixture;
using tenure::test::TestPool;

namespace {

using TestBlock = TestPool::Block;

struct Sums {
  std::uint64_t count[3] = {};
  std::uint64_t bytes[3] = {};
};

Sums sums_of(const Snapshot& snapshot) {
  Sums sums;
  for (const tenure_pool_block& block : snapshot.blocks) {
    REQUIRE(block.state <= TENURE_POOL_BLOCK_DETACHED);
    ++sums.count[block.state];
    sums.bytes[block.state] += block.capacity_bytes;
  }
  return sums;
}

void check_adds_up(const TestPool& pool) {
  const Sums sums = sums_of(pool.snapshot());
  const Statistics statistics = pool.statistics();
  REQUIRE(sums.count[TENURE_POOL_BLOCK_LIVE] == statistics.live_count);
  REQUIRE(sums.bytes[TENURE_POOL_BLOCK_LIVE] == statistics.live_bytes);
  REQUIRE(sums.count[TENURE_POOL_BLOCK_IDLE] == statistics.buffers);
  REQUIRE(sums.bytes[TENURE_POOL_BLOCK_IDLE] == statistics.capacity_bytes);
  REQUIRE(sums.bytes[TENURE_POOL_BLOCK_LIVE] + sums.bytes[TENURE_POOL_BLOCK_IDLE] ==
          statistics.reserved_bytes);
}

// The statistics as somebody counts them who sees nothing but the events.
Statistics counted(const std::vector<tenure_pool_event>& events) {
  Statistics sum;
  const auto live = [&](std::uint64_t bytes, bool more) {
    sum.live_count += more ? 1 : ~std::uint64_t{0};
    sum.live_bytes += more ? bytes : -bytes;
  };
  const auto idle = [&](std::uint64_t bytes, bool more) {
    sum.buffers += more ? 1 : ~std::uint64_t{0};
    sum.capacity_bytes += more ? bytes : -bytes;
  };
  for (const tenure_pool_event& event : events) {
    const std::uint64_t bytes = event.capacity_bytes;
    switch (event.kind) {
      case TENURE_POOL_EVENT_ACQUIRE:
        if (event.outcome == TENURE_POOL_OUTCOME_MISS) live(bytes, true);
        if (event.outcome == TENURE_POOL_OUTCOME_HIT) {
          ++sum.hits;
          idle(bytes, false);
          live(bytes, true);
        }
        break;
      case TENURE_POOL_EVENT_RELEASE:
        live(bytes, false);
        idle(bytes, true);
        break;
      case TENURE_POOL_EVENT_DETACH:
        ++sum.detached;
        live(bytes, false);
        break;
      case TENURE_POOL_EVENT_GIVE_BACK:
        --sum.detached;
        live(bytes, true);
        break;
      case TENURE_POOL_EVENT_ALLOCATE:
        if (event.outcome == TENURE_POOL_OUTCOME_DONE) ++sum.misses;
        break;
      case TENURE_POOL_EVENT_EVICT:
        ++sum.evictions;
        break;
      case TENURE_POOL_EVENT_FREE:
        idle(bytes, false);
        break;
      default:
        break;
    }
    sum.reserved_bytes = sum.live_bytes + sum.capacity_bytes;
    sum.peak_bytes = std::max(sum.peak_bytes, sum.reserved_bytes);
  }
  return sum;
}

std::vector<std::uint16_t> kinds_of(const std::vector<tenure_pool_event>& events) {
  std::vector<std::uint16_t> kinds;
  for (const tenure_pool_event& event : events) kinds.push_back(event.kind);
  return kinds;
}

// Random use of a pool by three threads that take turns.
void use(PoolFixture& fixture, std::uint64_t seed, int steps) {
  std::mt19937_64 random(seed);
  std::vector<TestBlock*> out;
  const auto take = [&] {
    std::swap(out[random() % out.size()], out.back());
    TestBlock* block = out.back();
    out.pop_back();
    return block;
  };
  for (int step = 0; step < steps; ++step) {
    fixture.thread_index = static_cast<std::uint32_t>(random() % 3);
    const std::uint64_t choice = random() % 100;
    if (choice < 50) {
      try {
        out.push_back(&fixture.pool.acquire(random() % (std::uint64_t{1} << random() % 16), 0));
      } catch (const tenure::sdk::Error&) {
      }
    } else if (out.empty() || choice > 97) {
      fixture.pool.trim(random() % 50'000);
    } else if (choice < 90) {
      TestPool::release(*take());
    } else if (choice < 95) {
      TestPool::detach(*out[random() % out.size()]);
    } else if (choice < 97) {
      fixture.pool.give_back(*take());
    } else {
      fixture.pool.thread_exit(fixture.thread_index);
    }
    if (step % 16 == 0) check_adds_up(fixture.pool);
  }
  check_adds_up(fixture.pool);
  for (TestBlock* block : out) TestPool::release(*block);
  check_adds_up(fixture.pool);
}

}  // namespace

TEST_CASE("Snapshot: a new pool has no block and no event") {
  for (const Mode mode : {Mode::count, Mode::trace}) {
    PoolFixture fixture({.retained_bytes_max = 777, .mode = mode});
    const Snapshot snapshot = fixture.pool.snapshot();
    CHECK(snapshot.blocks.empty());
    CHECK(snapshot.events.empty());
    CHECK(snapshot.dropped_events == 0);
    CHECK(snapshot.retained_bytes_max == 777);
    CHECK(snapshot.mode == static_cast<std::uint32_t>(mode));
  }
}

TEST_CASE("Snapshot: every block is there with its address, size and state, in every mode") {
  for (const Mode mode : {Mode::count, Mode::poison, Mode::guard, Mode::trace}) {
    PoolFixture fixture({.retained_bytes_max = 1 << 20, .mode = mode});
    TestBlock& live = fixture.pool.acquire(1000, 0);
    TestBlock& detached = fixture.pool.acquire(5000, 512);
    TestPool::detach(detached);
    TestBlock& idle = fixture.pool.acquire(64, 0);
    const auto idle_address = reinterpret_cast<std::uintptr_t>(idle.address);
    TestPool::release(idle);

    const Snapshot snapshot = fixture.pool.snapshot();
    std::map<std::uint32_t, tenure_pool_block> by_state;
    for (const tenure_pool_block& block : snapshot.blocks) by_state[block.state] = block;
    REQUIRE(snapshot.blocks.size() == 3);
    REQUIRE(by_state.size() == 3);
    CHECK(by_state[TENURE_POOL_BLOCK_LIVE].address == reinterpret_cast<std::uintptr_t>(live.address));
    CHECK(by_state[TENURE_POOL_BLOCK_LIVE].capacity_bytes == 1024);
    CHECK(by_state[TENURE_POOL_BLOCK_LIVE].id == 1);
    CHECK(by_state[TENURE_POOL_BLOCK_DETACHED].alignment_bytes == 512);
    CHECK(by_state[TENURE_POOL_BLOCK_DETACHED].id == 2);
    CHECK(by_state[TENURE_POOL_BLOCK_IDLE].address == idle_address);
    CHECK(by_state[TENURE_POOL_BLOCK_IDLE].id == 3);
    TestPool::release(live);
    TestPool::release(detached);
  }
}

TEST_CASE("Snapshot: the blocks add up to the statistics after random use, in every mode") {
  for (const Mode mode : {Mode::count, Mode::poison, Mode::guard, Mode::bypass, Mode::trace}) {
    for (const std::uint64_t cap_bytes : {0U, 20'000U, 10'000'000U}) {
      PoolFixture fixture({.retained_bytes_max = cap_bytes, .mode = mode});
      use(fixture, 17 + cap_bytes, 1500);
    }
  }
}

TEST_CASE("Snapshot: the events alone give the same statistics, also where the system refuses") {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    CAPTURE(seed);
    PoolFixture fixture(
        {.retained_bytes_max = 40'000, .mode = Mode::trace, .trace_events_max = std::uint64_t{1} << 20});
    if (seed % 2 == 0) fixture.record.limit(300'000);
    use(fixture, seed, 3000);
    const Snapshot snapshot = fixture.pool.snapshot();
    REQUIRE(snapshot.dropped_events == 0);
    CHECK(counted(snapshot.events) == fixture.pool.statistics());
  }
}

TEST_CASE("Snapshot: a block's id is never used again, and names it in every event") {
  PoolFixture fixture({.retained_bytes_max = 20'000, .mode = Mode::trace});
  use(fixture, 5, 2000);
  std::set<std::uint64_t> made, ended;
  for (const tenure_pool_event& event : fixture.pool.snapshot().events) {
    if (event.kind == TENURE_POOL_EVENT_ALLOCATE) {
      CHECK(made.insert(event.block).second);
    } else if (event.block != 0) {
      CHECK(made.contains(event.block));
      CHECK_FALSE(ended.contains(event.block));
    }
    if (event.kind == TENURE_POOL_EVENT_FREE || event.kind == TENURE_POOL_EVENT_FREE_DETACHED) {
      ended.insert(event.block);
    }
  }
  CHECK(!ended.empty());
}

TEST_CASE("Trace mode: what was asked is told with who asked and what came of it") {
  PoolFixture fixture({.retained_bytes_max = 1 << 20, .mode = Mode::trace});
  fixture.thread_index = 7;
  TestPool::release(fixture.pool.acquire(1000, 512));
  TestPool::release(fixture.pool.acquire(900, 0));
  fixture.pool.thread_exit(7);
  fixture.pool.trim(5);
  const auto events = fixture.pool.snapshot().events;
  REQUIRE(kinds_of(events) == std::vector<std::uint16_t>{
                                  TENURE_POOL_EVENT_ALLOCATE, TENURE_POOL_EVENT_ACQUIRE,
                                  TENURE_POOL_EVENT_RELEASE, TENURE_POOL_EVENT_ACQUIRE,
                                  TENURE_POOL_EVENT_RELEASE, TENURE_POOL_EVENT_THREAD_EXIT,
                                  TENURE_POOL_EVENT_TRIM, TENURE_POOL_EVENT_EVICT, TENURE_POOL_EVENT_FREE});
  CHECK(events[0].capacity_bytes == 1024);
  CHECK(events[1].outcome == TENURE_POOL_OUTCOME_MISS);
  CHECK(events[1].bytes == 1000);
  CHECK(events[1].alignment_bytes == 512);
  CHECK(events[1].thread_index == 7);
  CHECK(events[2].thread_index == 7);
  CHECK(events[3].outcome == TENURE_POOL_OUTCOME_HIT);
  CHECK(events[3].block == events[1].block);
  CHECK(events[5].thread_index == 7);
  CHECK(events[6].bytes == 5);
}

TEST_CASE("Trace mode: a detached block has its own end, and one that is given back its own return") {
  PoolFixture fixture({.retained_bytes_max = 1 << 20, .mode = Mode::trace});
  TestBlock& first = fixture.pool.acquire(100, 0);
  TestPool::detach(first);
  TestPool::release(first);
  TestBlock& second = fixture.pool.acquire(100, 0);
  TestPool::detach(second);
  fixture.pool.give_back(second);
  CHECK(kinds_of(fixture.pool.snapshot().events) ==
        std::vector<std::uint16_t>{
            TENURE_POOL_EVENT_ALLOCATE, TENURE_POOL_EVENT_ACQUIRE, TENURE_POOL_EVENT_DETACH,
            TENURE_POOL_EVENT_FREE_DETACHED, TENURE_POOL_EVENT_ALLOCATE, TENURE_POOL_EVENT_ACQUIRE,
            TENURE_POOL_EVENT_DETACH, TENURE_POOL_EVENT_GIVE_BACK, TENURE_POOL_EVENT_RELEASE});
}

TEST_CASE("Trace mode: what is refused is told, from the system and by the pool") {
  PoolFixture fixture({.mode = Mode::trace});
  fixture.record.refuse_from_now_on();
  CHECK_THROWS_AS((void)fixture.pool.acquire(1000, 0), tenure::sdk::Error);
  CHECK_THROWS_AS((void)fixture.pool.acquire(block_bytes_max + 1, 0), tenure::sdk::Error);
  const auto events = fixture.pool.snapshot().events;
  REQUIRE(events.size() >= 3);
  for (const tenure_pool_event& event : events) CHECK(event.outcome == TENURE_POOL_OUTCOME_REFUSED);
  CHECK(events[0].kind == TENURE_POOL_EVENT_ALLOCATE);
  CHECK(events[0].capacity_bytes == 1024);
  CHECK(events.back().kind == TENURE_POOL_EVENT_ACQUIRE);
  CHECK(events.back().bytes == block_bytes_max + 1);
}

TEST_CASE("Trace mode: it keeps and counts as mode count does") {
  PoolFixture counting({.retained_bytes_max = 50'000, .mode = Mode::count});
  PoolFixture tracing({.retained_bytes_max = 50'000, .mode = Mode::trace, .trace_events_max = 4});
  use(counting, 3, 2000);
  use(tracing, 3, 2000);
  CHECK(counting.pool.statistics() == tracing.pool.statistics());
  CHECK(tracing.pool.snapshot().events.size() == 4);
  CHECK(tracing.pool.snapshot().trace_events_max == 4);
  CHECK(tracing.pool.snapshot().dropped_events > 0);
}
