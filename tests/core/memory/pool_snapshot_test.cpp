// SPDX-License-Identifier: Apache-2.0
#include "tenure/memory/pool_snapshot.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/caught.hpp"
#include "support/fake_provider.hpp"
#include "support/sample_snapshot.hpp"
#include "tenure/abi/struct_head.hpp"
#include "tenure/base/empty_owner.hpp"
#include "tenure/base/provider_error.hpp"

using namespace tenure;
using tenure_test::caught;
using tenure_test::contains;
using tenure_test::FakeProvider;

namespace {

// What a provider gives: two blocks in no order, and two events.
struct Told {
  Told() {
    blocks[0] = {.id = 7,
                 .address = 0x2000,
                 .capacity_bytes = 1024,
                 .alignment_bytes = 256,
                 .state = TENURE_POOL_BLOCK_LIVE,
                 .zero = 0};
    blocks[1] = {.id = 9,
                 .address = 0x1000,
                 .capacity_bytes = 64,
                 .alignment_bytes = 64,
                 .state = TENURE_POOL_BLOCK_IDLE,
                 .zero = 0};
    events[0].sequence = 41;
    events[0].kind = TENURE_POOL_EVENT_TRIM;
    events[0].bytes = 5;
    events[1].sequence = 42;
    events[1].kind = TENURE_POOL_EVENT_ACQUIRE;
    events[1].outcome = TENURE_POOL_OUTCOME_HIT;
    events[1].block = 7;
    events[1].thread_index = 3;
    table.blocks = blocks.data();
    table.block_count = blocks.size();
    table.block_bytes = sizeof(tenure_pool_block);
    table.events = events.data();
    table.event_count = events.size();
    table.event_bytes = sizeof(tenure_pool_event);
    table.dropped_events = 40;
    table.retained_bytes_max = 12345;
    table.trace_events_max = 2;
    table.mode = TENURE_POOL_TRACE;
  }

  std::array<tenure_pool_block, 2> blocks{};
  std::array<tenure_pool_event, 2> events{};
  tenure_pool_snapshot table = abi::make_struct<tenure_pool_snapshot>();
};

}  // namespace

TEST_CASE("Pool: a snapshot is what the provider tells, its blocks by address, and is given back") {
  const Told told;
  FakeProvider provider(FakeProvider::Pools::with_snapshots);
  provider.snapshot = &told.table;
  const Pool pool(provider.domain(FakeProvider::pageable));
  const PoolSnapshot snapshot = pool.snapshot();
  CHECK(provider.calls.snapshot_release == 1);
  CHECK(snapshot.domain == pool.domain().name());
  CHECK(snapshot.mode == PoolMode::trace);
  CHECK(snapshot.retained_bytes_max == 12345);
  CHECK(snapshot.trace_events_max == 2);
  CHECK(snapshot.dropped_events == 40);
  REQUIRE(snapshot.blocks.size() == 2);
  CHECK(snapshot.blocks[0].id == 9);
  CHECK(snapshot.blocks[0].state == PoolBlockState::idle);
  CHECK(snapshot.blocks[1].address == 0x2000);
  CHECK(snapshot.blocks[1].alignment_bytes == 256);
  CHECK(snapshot.statistics.live_bytes == 1024);
  CHECK(snapshot.statistics.capacity_bytes == 64);
  CHECK(snapshot.statistics.reserved_bytes == 1088);
  REQUIRE(snapshot.events.size() == 2);
  CHECK(snapshot.events[0].kind == PoolEventKind::trim);
  CHECK(snapshot.events[0].bytes == 5);
  CHECK(snapshot.events[1].outcome == PoolEventOutcome::hit);
  CHECK(snapshot.events[1].thread_index == 3);
}

TEST_CASE("Pool: elements of a snapshot that are longer than this side knows are read all the same") {
  Told told;
  struct LongBlock {
    tenure_pool_block block;
    std::uint64_t more;
  };
  const std::array<LongBlock, 2> blocks{LongBlock{told.blocks[0], 1}, LongBlock{told.blocks[1], 2}};
  told.table.blocks = &blocks[0].block;
  told.table.block_bytes = sizeof(LongBlock);
  FakeProvider provider(FakeProvider::Pools::with_snapshots);
  provider.snapshot = &told.table;
  const auto snapshot = Pool(provider.domain(FakeProvider::pageable)).snapshot();
  REQUIRE(snapshot.blocks.size() == 2);
  CHECK(snapshot.blocks[0].id == 9);
  CHECK(snapshot.blocks[1].id == 7);
}

TEST_CASE("Pool: a snapshot that cannot be true is refused with what is wrong, and given back") {
  FakeProvider provider(FakeProvider::Pools::with_snapshots);
  const Pool pool(provider.domain(FakeProvider::pageable));
  const auto refusal = [&](const std::function<void(Told&)>& change) {
    Told told;
    change(told);
    provider.snapshot = &told.table;
    return std::string(caught<ProviderError>([&] { return pool.snapshot(); }).what());
  };
  CHECK(contains(refusal([](Told& t) { t.table.blocks = nullptr; }), "its blocks are missing"));
  CHECK(contains(refusal([](Told& t) { t.table.block_bytes = 8; }), "too short"));
  CHECK(contains(refusal([](Told& t) { t.table.event_bytes = 0; }), "its events are missing or too short"));
  CHECK(contains(refusal([](Told& t) { t.table.mode = 99; }), "mode of number 99"));
  CHECK(contains(refusal([](Told& t) { t.blocks[1].state = 3; }), "block state of number 3"));
  CHECK(contains(refusal([](Told& t) { t.events[0].kind = 10; }), "event of number 10"));
  CHECK(contains(refusal([](Told& t) { t.events[1].outcome = 4; }), "outcome of number 4"));
  CHECK(provider.calls.snapshot_release == 7);
  provider.snapshot = nullptr;
  CHECK(contains(caught<ProviderError>([&] { return pool.snapshot(); }).what(), "there is no snapshot"));
  CHECK(provider.calls.snapshot_release == 7);
}

TEST_CASE("Pool: a snapshot that the provider fails to make, or never makes, is a ProviderError") {
  FakeProvider provider(FakeProvider::Pools::with_snapshots);
  provider.snapshot_code = TENURE_RESOURCE_EXHAUSTED;
  const Pool pool(provider.domain(FakeProvider::pageable));
  CHECK(caught<ProviderError>([&] { return pool.snapshot(); }).status_code() == TENURE_RESOURCE_EXHAUSTED);

  FakeProvider plain(FakeProvider::Pools::recycling);
  const Pool without(plain.domain(FakeProvider::pageable));
  const auto error = caught<ProviderError>([&] { return without.snapshot(); });
  CHECK(error.status_code() == TENURE_UNIMPLEMENTED);
  CHECK(contains(error.what(), "use statistics()"));
}

TEST_CASE("Pool: without pools in its provider, or moved from, there is nothing to see") {
  FakeProvider provider;
  Pool pool(provider.domain(FakeProvider::managed));
  CHECK(pool.snapshot().blocks.empty());
  CHECK(pool.snapshot().domain == pool.domain().name());
  const Pool moved = std::move(pool);
  CHECK(caught<EmptyOwner>([&] { return pool.snapshot(); }).operation() == "Pool::snapshot");
}

TEST_CASE("to_json: the document says what it is and holds every number of the snapshot") {
  PoolSnapshot snapshot = test::sample_snapshot();
  snapshot.domain = "odd\"name\\";
  snapshot.retained_bytes_max = UINT64_MAX;
  snapshot.blocks.push_back({4, 0x7fffffffffff8000, 1024, 256, PoolBlockState::live});
  snapshot.events.erase(snapshot.events.begin() + 2, snapshot.events.end());
  snapshot.events[1].alignment_bytes = 64;
  snapshot.events[1].thread_index = 7;
  snapshot.statistics.evictions = 2;
  snapshot.dropped_events = 8;
  const auto document = nlohmann::json::parse(to_json(snapshot));
  CHECK(document == nlohmann::json::parse(R"({
    "format": "tenure-pool-snapshot", "version": 1, "domain": "odd\"name\\", "mode": "trace",
    "retained_bytes_max": 18446744073709551615, "trace_events_max": 100,
    "statistics": {"live_count": 1, "live_bytes": 1024, "idle_count": 1, "idle_bytes": 64,
                   "reserved_bytes": 1088, "peak_bytes": 3136, "hits": 1, "misses": 3, "evictions": 2,
                   "detached": 1},
    "sizes": [{"capacity_bytes": 64, "live_count": 0, "idle_count": 1, "detached_count": 0},
              {"capacity_bytes": 1024, "live_count": 2, "idle_count": 0, "detached_count": 0},
              {"capacity_bytes": 2048, "live_count": 0, "idle_count": 0, "detached_count": 1}],
    "blocks": [
      {"id": 1, "address": "0x1000", "capacity_bytes": 1024, "alignment_bytes": 256, "state": "live"},
      {"id": 2, "address": "0x2000", "capacity_bytes": 64, "alignment_bytes": 64, "state": "idle"},
      {"id": 3, "address": "0x9000", "capacity_bytes": 2048, "alignment_bytes": 256, "state": "detached"},
      {"id": 4, "address": "0x7fffffffffff8000", "capacity_bytes": 1024, "alignment_bytes": 256,
       "state": "live"}],
    "dropped_events": 8,
    "events": [
      {"sequence": 1, "time_ns": 100, "kind": "allocate", "outcome": "done", "block": 1,
       "capacity_bytes": 1024, "bytes": 0, "alignment_bytes": 0, "thread_index": 0},
      {"sequence": 2, "time_ns": 200, "kind": "acquire", "outcome": "miss", "block": 1,
       "capacity_bytes": 1024, "bytes": 1000, "alignment_bytes": 64, "thread_index": 7}]
  })"));
}

TEST_CASE("to_json: a domain whose name is no UTF-8 costs no more than its wrong bytes") {
  PoolSnapshot snapshot = test::sample_snapshot();
  snapshot.domain = "odd\xff";
  const auto document = nlohmann::json::parse(to_json(snapshot));
  CHECK(document["domain"] == "odd\xef\xbf\xbd");
  CHECK(document["blocks"].size() == snapshot.blocks.size());
}

TEST_CASE("to_json: an empty pool is a document too, and every word of an enum has a name") {
  const auto document = nlohmann::json::parse(to_json(PoolSnapshot{}));
  CHECK(document["blocks"].empty());
  CHECK(document["events"].empty());
  CHECK(document["mode"] == "count");
  CHECK(pool_mode_name(PoolMode::trace) == "trace");
  CHECK(pool_block_state_name(PoolBlockState::detached) == "detached");
  CHECK(pool_event_kind_name(PoolEventKind::free) == "free");
  CHECK(pool_event_outcome_name(PoolEventOutcome::refused) == "refused");
  CHECK(pool_event_kind_name(static_cast<PoolEventKind>(200)) == "unknown");
}
