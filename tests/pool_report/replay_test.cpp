// SPDX-License-Identifier: Apache-2.0
// Pools of real providers: recorded, and replayed with the same and with other options.
#include "replay.hpp"

#include <doctest/doctest.h>

#include <map>
#include <memory>
#include <random>
#include <thread>
#include <variant>
#include <vector>

#include "snapshot_file.hpp"
#include "support/caught.hpp"
#include "support/providers.hpp"
#include "support/sample_snapshot.hpp"
#include "tenure/memory/allocation_domain.hpp"
#include "turn_thread.hpp"

using namespace tenure;
using pool_report::replay;
using pool_report::ReplayError;
using pool_report::ReplayResult;
using pool_report::TurnThread;
using tenure_test::caught;
using tenure_test::contains;

namespace {

using Extracted = BufferVector<std::byte>;

PoolOptions tracing(std::size_t retained_bytes_max, std::size_t events_max = 1 << 18) {
  return {.retained_bytes_max = retained_bytes_max, .mode = PoolMode::trace, .trace_events_max = events_max};
}

Extracted extract(Storage storage) {
  return adopt_buffer<std::byte>(std::make_shared<BufferAdoption>(), std::move(storage));
}

// Random use of a pool by three threads that take turns; one of them ends now and then and another one takes
// its place.
class RandomUse {
 public:
  RandomUse(const Pool& pool, std::uint64_t seed) : pool_(pool), random_(seed) {
    for (auto& thread : threads_) thread = start();
  }

  void run(int steps) {
    for (int i = 0; i < steps; ++i) {
      if (below(200) == 0) replace(threads_[below(3)]);
      threads_[below(3)]->run([&] { step(); });
    }
  }

 private:
  std::uint64_t below(std::uint64_t end) { return random_() % end; }

  static std::unique_ptr<TurnThread> start() { return std::make_unique<TurnThread>(); }
  void replace(std::unique_ptr<TurnThread>& thread) {
    thread.reset();
    thread = start();
  }

  void step() {
    const std::uint64_t choice = below(100);
    if (choice < 48) {
      const std::size_t alignment_bytes = below(8) == 0 ? std::size_t{1} << below(13) : 0;
      out_.push_back(pool_.acquire(1 + below(std::uint64_t{1} << below(18)), alignment_bytes));
    } else if (choice < 85) {
      if (!out_.empty()) take();
    } else if (choice < 91) {
      if (!out_.empty()) extracted_.push_back(extract(take()));
    } else if (choice < 97) {
      if (extracted_.empty()) return;
      Extracted vector = std::move(extracted_.back());
      extracted_.pop_back();
      if (choice < 95) pool_.give_back(std::move(vector));
    } else {
      pool_.trim(below(200'000));
    }
  }

  Storage take() {
    std::swap(out_[below(out_.size())], out_.back());
    Storage storage = std::move(out_.back());
    out_.pop_back();
    return storage;
  }

  const Pool& pool_;
  std::mt19937_64 random_;
  std::unique_ptr<TurnThread> threads_[3];
  std::vector<Storage> out_;
  std::vector<Extracted> extracted_;
};

void check_equal(const PoolStatistics& a, const PoolStatistics& b) {
  CHECK(a.hits == b.hits);
  CHECK(a.misses == b.misses);
  CHECK(a.evictions == b.evictions);
  CHECK(a.peak_bytes == b.peak_bytes);
  CHECK(a.live_count == b.live_count);
  CHECK(a.live_bytes == b.live_bytes);
  CHECK(a.buffers == b.buffers);
  CHECK(a.capacity_bytes == b.capacity_bytes);
  CHECK(a.reserved_bytes == b.reserved_bytes);
  CHECK(a.detached == b.detached);
}

PoolSnapshot recorded(const AllocationDomain& domain, std::uint64_t seed, std::size_t retained_bytes_max,
                      int steps = 1200) {
  const Pool pool(domain, tracing(retained_bytes_max));
  RandomUse use(pool, seed);
  use.run(steps);
  return pool.snapshot();
}

}  // namespace

TEST_CASE(
    "replay: random operations, recorded and replayed with the same options, give the same statistics") {
  const Instance instance = test::open("cpu");
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    for (const std::size_t retained_bytes_max : {0U, 60'000U, 1'000'000U, 100'000'000U}) {
      CAPTURE(seed);
      CAPTURE(retained_bytes_max);
      const PoolSnapshot snapshot = recorded(instance.default_domain(), seed, retained_bytes_max);
      // By way of the document, as a user would.
      const PoolSnapshot read = pool_report::parse_snapshot(to_json(snapshot), "trace");
      const ReplayResult result =
          replay(read, instance.default_domain(),
                 {.retained_bytes_max = read.retained_bytes_max, .mode = PoolMode::count});
      check_equal(result.statistics, snapshot.statistics);
      CHECK(result.refused_recorded == 0);
      CHECK(result.refused_replayed == 0);
    }
  }
}

TEST_CASE("replay: a trace of one provider is replayed in memory of another") {
  const Instance cpu = test::open("cpu"), fake = test::open("fake_shared");
  const PoolSnapshot snapshot = recorded(cpu.default_domain(), 9, 300'000);
  const ReplayResult result = replay(snapshot, fake.domain("fake:0/managed"),
                                     {.retained_bytes_max = 300'000, .mode = PoolMode::count});
  check_equal(result.statistics, snapshot.statistics);
}

TEST_CASE("replay: other options give other counts of the same requests") {
  const Instance instance = test::open("cpu");
  const PoolSnapshot snapshot = recorded(instance.default_domain(), 3, 60'000);
  const std::uint64_t asked = snapshot.statistics.hits + snapshot.statistics.misses;
  const ReplayResult nothing_kept =
      replay(snapshot, instance.default_domain(), {.retained_bytes_max = 0, .mode = PoolMode::count});
  CHECK(nothing_kept.statistics.hits == 0);
  CHECK(nothing_kept.statistics.misses == asked);
  CHECK(nothing_kept.statistics.live_bytes == snapshot.statistics.live_bytes);
  const ReplayResult all_kept =
      replay(snapshot, instance.default_domain(), {.retained_bytes_max = 1 << 30, .mode = PoolMode::count});
  CHECK(all_kept.statistics.hits > snapshot.statistics.hits);
  CHECK(all_kept.statistics.hits + all_kept.statistics.misses == asked);
  const ReplayResult bypassed = replay(snapshot, instance.default_domain(), {.mode = PoolMode::bypass});
  CHECK(bypassed.statistics.misses == asked);
  CHECK(bypassed.statistics.peak_bytes <= nothing_kept.statistics.peak_bytes);
}

TEST_CASE("replay: a trace of threads that ran at the same time is replayed to its end") {
  const Instance instance = test::open("cpu");
  const Pool pool(instance.default_domain(), tracing(100'000));
  {
    std::vector<std::jthread> threads;
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      threads.emplace_back([&pool, seed] {
        std::mt19937_64 random(seed);
        std::vector<Storage> out;
        for (int i = 0; i < 400; ++i) {
          if (random() % 2 == 0) {
            out.push_back(pool.acquire(1 + random() % 20'000));
          } else if (!out.empty()) {
            out.erase(out.begin());
          }
        }
      });
    }
  }
  const PoolSnapshot snapshot = pool.snapshot();
  const ReplayResult result =
      replay(pool_report::parse_snapshot(to_json(snapshot), "trace"), instance.default_domain(),
             {.retained_bytes_max = 100'000, .mode = PoolMode::count});
  CHECK(result.statistics.hits + result.statistics.misses ==
        snapshot.statistics.hits + snapshot.statistics.misses);
  CHECK(result.statistics.live_count == 0);
}

TEST_CASE("replay: a request that was refused is left out, one that is refused now is counted") {
  const Instance instance = test::open("cpu");
  PoolSnapshot snapshot = test::sample_snapshot();
  snapshot.events[1].bytes = std::uint64_t{1} << 60;
  snapshot.events.push_back({.sequence = 11,
                             .time_ns = 2000,
                             .bytes = 5,
                             .kind = PoolEventKind::acquire,
                             .outcome = PoolEventOutcome::refused});
  const ReplayResult result =
      replay(snapshot, instance.default_domain(), {.retained_bytes_max = 1 << 20, .mode = PoolMode::count});
  CHECK(result.refused_recorded == 1);
  CHECK(result.refused_replayed == 1);
  CHECK(result.statistics.misses == 3);
}

TEST_CASE("replay: a trace that lacks its beginning, or was never recorded, is refused with what to do") {
  const Instance instance = test::open("cpu");
  const AllocationDomain domain = instance.default_domain();
  PoolSnapshot snapshot = test::sample_snapshot();
  snapshot.dropped_events = 90;
  CHECK(
      contains(caught<ReplayError>([&] { return replay(snapshot, domain, {}); }).what(),
               "the first 90 events are missing; record with PoolOptions::trace_events_max of 100 or more"));
  snapshot = test::sample_snapshot();
  snapshot.mode = PoolMode::count;
  CHECK(contains(caught<ReplayError>([&] { return replay(snapshot, domain, {}); }).what(),
                 "the pool was of mode count; make it with PoolMode::trace"));
}

TEST_CASE("replay: a trace that contradicts itself is refused with the event") {
  const Instance instance = test::open("cpu");
  const AllocationDomain domain = instance.default_domain();
  const auto refusal = [&](std::size_t event, PoolEventKind kind, std::uint64_t block) {
    PoolSnapshot snapshot = test::sample_snapshot();
    snapshot.events[event].kind = kind;
    snapshot.events[event].block = block;
    return std::string(caught<ReplayError>([&] {
                         return replay(snapshot, domain, {.retained_bytes_max = 0, .mode = PoolMode::count});
                       }).what());
  };
  CHECK(contains(refusal(4, PoolEventKind::release, 77),
                 "event 5 (release) is about block 77, which is not out"));
  CHECK(contains(refusal(4, PoolEventKind::detach, 77), "event 5 (detach) is about block 77"));
  CHECK(contains(refusal(4, PoolEventKind::free_detached, 77), "is not out"));
  CHECK(contains(refusal(4, PoolEventKind::acquire, 1),
                 "event 5 (acquire) is about block 1, which is out already"));
}

TEST_CASE("replay: a detached block of memory that the host does not reach is refused") {
  const Instance instance = test::open("fake_shared");
  const AllocationDomain domain = instance.domain("fake:0/device");
  CHECK(contains(caught<ReplayError>([&] {
                   return replay(test::sample_snapshot(), domain, {.mode = PoolMode::count});
                 }).what(),
                 "replay the trace in memory of the host"));
}
