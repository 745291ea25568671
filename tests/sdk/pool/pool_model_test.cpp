// SPDX-License-Identifier: Apache-2.0
// Random operations on a pool beside a model that only counts.
#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include "recording_upstream.hpp"

using namespace tenure::sdk::pool;
using tenure::test::PoolFixture;
using tenure::test::TestPool;

namespace {

using TestBlock = TestPool::Block;

// What the pool should say, and the blocks that are out. Marks both ends of each block with its number.
class ModelRun {
 public:
  ModelRun(std::uint64_t seed, std::uint64_t cap_bytes, Mode mode)
      : random_(seed), cap_bytes_(cap_bytes), fixture_({.retained_bytes_max = cap_bytes, .mode = mode}) {}

  tenure::test::UpstreamRecord& record() { return fixture_.record; }
  std::uint64_t failures() const { return failures_; }

  void run(int steps) {
    for (int i = 0; i < steps; ++i) {
      step();
      check();
    }
    while (!out_.empty()) release(0);
    fixture_.pool.trim(0);
    check();
    CHECK(fixture_.record.count() == 0);
  }

 private:
  struct Out {
    TestBlock* block;
    std::uint64_t bytes;
    std::uint64_t number;
    bool is_detached;
  };

  std::uint64_t below(std::uint64_t end) { return random_() % end; }

  void step() {
    fixture_.thread_index = static_cast<std::uint32_t>(below(3));
    const std::uint64_t choice = below(100);
    if (choice < 45) {
      acquire();
    } else if (choice < 85) {
      if (!out_.empty()) release(below(out_.size()));
    } else if (choice < 90) {
      if (!out_.empty()) detach(below(out_.size()));
    } else if (choice < 95) {
      if (!out_.empty()) give_back(below(out_.size()));
    } else if (choice < 98) {
      fixture_.pool.thread_exit(fixture_.thread_index);
    } else {
      const std::uint64_t kept_bytes = below(cap_bytes_ + 1);
      fixture_.pool.trim(kept_bytes);
      REQUIRE(fixture_.pool.statistics().capacity_bytes <= kept_bytes);
    }
  }

  void acquire() {
    const std::uint64_t bytes = below(std::uint64_t{1} << below(18));
    const std::uint64_t alignment_bytes = below(8) == 0 ? std::uint64_t{1} << below(13) : 0;
    TestBlock* block = nullptr;
    try {
      block = &fixture_.pool.acquire(bytes, alignment_bytes);
    } catch (const tenure::sdk::Error& error) {
      REQUIRE(error.code() == TENURE_RESOURCE_EXHAUSTED);
      REQUIRE(fixture_.pool.statistics().buffers == 0);
      ++failures_;
      return;
    }
    ++acquired_;
    REQUIRE(block->bytes >= bytes);
    REQUIRE(reinterpret_cast<std::uintptr_t>(block->address) % std::max<std::uint64_t>(alignment_bytes, 64) ==
            0);
    const Out out{block, bytes, acquired_, false};
    mark(out);
    out_.push_back(out);
  }

  Out take(std::uint64_t index) {
    const Out out = out_[index];
    out_[index] = out_.back();
    out_.pop_back();
    require_mark(out);
    return out;
  }

  void release(std::uint64_t index) { TestPool::release(*take(index).block); }

  void detach(std::uint64_t index) {
    TestPool::detach(*out_[index].block);
    if (!out_[index].is_detached) ++detached_;
    out_[index].is_detached = true;
  }

  void give_back(std::uint64_t index) {
    const Out out = take(index);
    fixture_.pool.give_back(*out.block);
    if (out.is_detached) --detached_;
  }

  static void mark(const Out& out) {
    if (out.bytes < 2 * sizeof out.number) return;
    auto* bytes = static_cast<unsigned char*>(out.block->address);
    std::memcpy(bytes, &out.number, sizeof out.number);
    std::memcpy(bytes + out.bytes - sizeof out.number, &out.number, sizeof out.number);
  }

  static void require_mark(const Out& out) {
    if (out.bytes < 2 * sizeof out.number) return;
    const auto* bytes = static_cast<const unsigned char*>(out.block->address);
    REQUIRE(std::memcmp(bytes, &out.number, sizeof out.number) == 0);
    REQUIRE(std::memcmp(bytes + out.bytes - sizeof out.number, &out.number, sizeof out.number) == 0);
  }

  void check() {
    std::uint64_t live_count = 0, live_bytes = 0;
    for (const Out& out : out_) {
      if (out.is_detached) continue;
      ++live_count;
      live_bytes += out.block->capacity_bytes;
    }
    const Statistics statistics = fixture_.pool.statistics();
    REQUIRE(statistics.live_count == live_count);
    REQUIRE(statistics.live_bytes == live_bytes);
    REQUIRE(statistics.reserved_bytes == live_bytes + statistics.capacity_bytes);
    REQUIRE(statistics.capacity_bytes <= cap_bytes_);
    REQUIRE((statistics.buffers == 0) == (statistics.capacity_bytes == 0));
    REQUIRE(statistics.hits + statistics.misses == acquired_);
    REQUIRE(statistics.detached == detached_);
    REQUIRE(statistics.peak_bytes >= statistics.reserved_bytes);
    REQUIRE(statistics.peak_bytes >= peak_bytes_);
    peak_bytes_ = statistics.peak_bytes;
    REQUIRE(fixture_.record.count() == out_.size() + statistics.buffers);
  }

  std::mt19937_64 random_;
  std::uint64_t cap_bytes_;
  PoolFixture fixture_;
  std::vector<Out> out_;
  std::uint64_t acquired_ = 0;
  std::uint64_t failures_ = 0;
  std::uint64_t detached_ = 0;
  std::uint64_t peak_bytes_ = 0;
};

}  // namespace

TEST_CASE("Pool model: random operations agree with the model after every step, for several seeds and caps") {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    for (const std::uint64_t cap_bytes : {0U, 10'000U, 300'000U, 100'000'000U}) {
      CAPTURE(seed);
      CAPTURE(cap_bytes);
      ModelRun(seed, cap_bytes, Mode::count).run(1500);
    }
  }
}

TEST_CASE("Pool model: the same holds in every mode") {
  for (const Mode mode : {Mode::poison, Mode::guard, Mode::bypass, Mode::trace})
    ModelRun(11, 300'000, mode).run(1500);
}

TEST_CASE("Pool model: a system with little room makes acquire fail cleanly and nothing else") {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    ModelRun run(seed, 300'000, Mode::count);
    run.record().limit(100'000);
    run.run(3000);
    CHECK(run.failures() > 0);
  }
}

TEST_CASE("Pool model: whichever single upstream call is refused, the ladder or a typed error covers it") {
  ModelRun whole(5, 60'000, Mode::count);
  whole.run(400);
  for (std::uint64_t k = 1; k <= whole.record().calls(); ++k) {
    CAPTURE(k);
    ModelRun run(5, 60'000, Mode::count);
    run.record().refuse(k, k + 1);
    run.run(400);
  }
}

TEST_CASE("Pool model: from whichever upstream call on everything is refused, live blocks stay intact") {
  for (std::uint64_t k = 1; k <= 100; ++k) {
    CAPTURE(k);
    ModelRun run(5, 60'000, Mode::count);
    run.record().refuse(k);
    run.run(400);
    CHECK(run.failures() > 0);
  }
}
