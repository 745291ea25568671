// SPDX-License-Identifier: Apache-2.0
#include "tenure/sdk/pool/pool_set.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "recording_upstream.hpp"

using namespace tenure::sdk::pool;
using tenure::test::PlayedThreadIndex;
using tenure::test::RecordingUpstream;
using tenure::test::TestPool;
using tenure::test::UpstreamRecord;

namespace {

struct SetFixture {
  TestPool pool() {
    return TestPool(RecordingUpstream{&record}, PlayedThreadIndex{&thread_index}, {.mode = Mode::count});
  }

  UpstreamRecord record;
  std::uint32_t thread_index = 0;
  PoolSet<TestPool> pools;
};

// Asks the set, whose lock must be free then, each time memory goes back.
struct AskingUpstream {
  static constexpr bool is_host_memory = true;
  void* acquire(std::uint64_t bytes, std::uint64_t alignment_bytes) noexcept {
    return system.acquire(bytes, alignment_bytes);
  }
  void release(void* address, std::uint64_t bytes, std::uint64_t alignment_bytes) noexcept {
    seen_live_bytes->push_back(ask());
    system.release(address, bytes, alignment_bytes);
  }

  HostUpstream system;
  std::function<std::uint64_t()> ask;
  std::vector<std::uint64_t>* seen_live_bytes;
};

}  // namespace

TEST_CASE("PoolSet: memory goes back to the system with no lock of the set held") {
  using AskingPool = Pool<AskingUpstream, PlayedThreadIndex>;
  std::vector<std::uint64_t> seen;
  std::uint32_t thread_index = 0;
  PoolSet<AskingPool> pools;
  const auto ask = [&] { return pools.statistics(0).capacity_bytes; };
  const auto pool = [&] {
    return AskingPool(AskingUpstream{{}, ask, &seen}, PlayedThreadIndex{&thread_index},
                      {.retained_bytes_max = 8192, .mode = Mode::count});
  };
  auto first = pools.make(0, pool());
  auto second = pools.make(0, pool());
  for (auto* member : {first.get(), second.get()}) AskingPool::release(member->acquire(4096, 0));
  CHECK(pools.trim(0, 0) == 8192);
  CHECK(seen == std::vector<std::uint64_t>{0, 0});
  second.reset();
  AskingPool::release(first->acquire(16384, 0));
  first.reset();
  CHECK(seen.size() == 3);
}

TEST_CASE_FIXTURE(SetFixture, "PoolSet: an ended thread's blocks become available in every pool") {
  auto first = pools.make(0, pool());
  auto second = pools.make(1, pool());
  thread_index = 4;
  for (auto* member : {first.get(), second.get()}) TestPool::release(member->acquire(512, 0));
  pools.thread_exit(4);
  thread_index = 0;
  for (auto* member : {first.get(), second.get()}) {
    TestPool::release(member->acquire(512, 0));
    CHECK(member->statistics().hits == 1);
  }
}

TEST_CASE_FIXTURE(SetFixture, "PoolSet: trim and statistics cover the living pools of one domain") {
  auto first = pools.make(0, pool());
  auto second = pools.make(0, pool());
  auto other = pools.make(1, pool());
  for (auto* member : {first.get(), second.get(), other.get()}) {
    TestPool::release(member->acquire(1024, 0));
    TestPool::release(member->acquire(2048, 0));
  }
  CHECK(pools.statistics(0).buffers == 4);
  CHECK(pools.statistics(0).capacity_bytes == 6144);
  CHECK(pools.trim(0, 3072) == 3072);
  CHECK(pools.statistics(0).capacity_bytes == 3072);
  CHECK(pools.statistics(1).capacity_bytes == 3072);
  second.reset();
  CHECK(pools.trim(0, 0) == 3072);
  CHECK(pools.trim(7, 0) == 0);
}

TEST_CASE_FIXTURE(SetFixture, "PoolSet: a released member is gone from the set and its blocks live on") {
  auto member = pools.make(0, pool());
  auto& block = member->acquire(1024, 0);
  member.reset();
  CHECK(pools.statistics(0) == Statistics{});
  pools.thread_exit(0);
  TestPool::release(block);
  CHECK(record.count() == 0);
}

TEST_CASE_FIXTURE(SetFixture, "PoolSet: a member reports what its pool reports, as the contract has it") {
  auto member = pools.make(0, pool());
  auto& kept = member->acquire(1024, 0);
  member->give_back(kept);
  auto& live = member->acquire(2048, 0);
  const tenure_pool_statistics statistics = member->statistics();
  CHECK(statistics.head.kind == TENURE_KIND_POOL_STATISTICS);
  CHECK(statistics.head.bytes == sizeof statistics);
  CHECK(statistics.buffers == 1);
  CHECK(statistics.capacity_bytes == 1024);
  CHECK(statistics.live_count == 1);
  CHECK(statistics.live_bytes == 2048);
  CHECK(statistics.reserved_bytes == 3072);
  CHECK(statistics.peak_bytes == 3072);
  CHECK(statistics.misses == 2);
  CHECK(member->trim(0) == 1024);
  TestPool::release(live);
}

TEST_CASE("read_pool_options: what the caller leaves open is the provider's choice") {
  const PoolOptions defaults{.retained_bytes_max = 1000, .mode = Mode::guard, .bytes_max = 77};
  auto wanted = tenure::abi::make_struct<tenure_pool_options>();
  wanted.retained_bytes_max = UINT64_MAX;
  wanted.mode = TENURE_POOL_POISON;
  PoolOptions read = read_pool_options(wanted, defaults);
  CHECK(read.retained_bytes_max == 1000);
  CHECK(read.mode == Mode::guard);
  CHECK(read.bytes_max == 77);

  wanted.retained_bytes_max = 0;
  wanted.mode_is_set = 1;
  read = read_pool_options(wanted, defaults);
  CHECK(read.retained_bytes_max == 0);
  CHECK(read.mode == Mode::poison);

  CHECK(read.trace_events_max == defaults.trace_events_max);
  wanted.trace_events_max = 5;
  CHECK(read_pool_options(wanted, defaults).trace_events_max == 5);

  wanted.mode = TENURE_POOL_TRACE;
  CHECK(read_pool_options(wanted, defaults).mode == Mode::trace);
  wanted.mode = TENURE_POOL_TRACE + 1;
  CHECK_THROWS_AS(read_pool_options(wanted, defaults), tenure::sdk::Error);
}
