// SPDX-License-Identifier: Apache-2.0
// Pools used by several threads at once, also under ThreadSanitizer.
#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <barrier>
#include <cstdint>
#include <cstring>
#include <optional>
#include <random>
#include <thread>
#include <vector>

#include "recording_upstream.hpp"

using namespace tenure::sdk::pool;
using tenure::test::RecordingUpstream;
using tenure::test::UpstreamRecord;

namespace {

// Each test thread writes the index that it plays.
thread_local std::uint32_t own_index = 0;

struct OwnThreadIndex {
  std::uint32_t operator()() const noexcept { return own_index; }
};

using ThreadPool = Pool<RecordingUpstream, OwnThreadIndex>;
using TestBlock = ThreadPool::Block;

ThreadPool make_pool(UpstreamRecord& record, std::uint64_t cap_bytes) {
  return ThreadPool(RecordingUpstream{&record}, OwnThreadIndex{},
                    {.retained_bytes_max = cap_bytes, .mode = Mode::count});
}

// Runs `body(index)` on threads with the indices 1, 2, ... and waits for them.
template <class Body>
void on_threads(std::uint32_t count, const Body& body) {
  std::vector<std::thread> threads;
  for (std::uint32_t index = 1; index <= count; ++index) {
    threads.emplace_back([&, index] {
      own_index = index;
      body(index);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// Acquires and releases random sizes, a few at a time, and checks that nobody else writes to them.
void churn(ThreadPool& pool, std::uint32_t seed, int rounds, std::uint64_t bytes_max) {
  std::mt19937 random(seed);
  std::vector<TestBlock*> blocks;
  for (int i = 0; i < rounds; ++i) {
    if (blocks.size() < 20 && random() % 2 == 0) {
      blocks.push_back(&pool.acquire(1 + random() % bytes_max, 0));
      std::memset(blocks.back()->address, static_cast<int>(seed), 1);
    } else if (!blocks.empty()) {
      std::swap(blocks[random() % blocks.size()], blocks.back());
      REQUIRE(*static_cast<const unsigned char*>(blocks.back()->address) == seed);
      ThreadPool::release(*blocks.back());
      blocks.pop_back();
    }
  }
  for (TestBlock* block : blocks) ThreadPool::release(*block);
}

}  // namespace

TEST_CASE("Pool threads: churn on several threads neither mixes up blocks nor loses count") {
  UpstreamRecord record;
  {
    ThreadPool pool = make_pool(record, std::uint64_t{1} << 30);
    on_threads(4, [&](std::uint32_t index) { churn(pool, index, 5000, 100'000); });
    const Statistics statistics = pool.statistics();
    CHECK(statistics.live_count == 0);
    CHECK(statistics.buffers == record.count());
    CHECK(statistics.capacity_bytes == statistics.reserved_bytes);
  }
  CHECK(record.count() == 0);
}

TEST_CASE("Pool threads: the cap holds after threads fought for it") {
  constexpr std::uint64_t cap_bytes = 200'000;
  UpstreamRecord record;
  ThreadPool pool = make_pool(record, cap_bytes);
  on_threads(4, [&](std::uint32_t index) { churn(pool, index, 3000, 30'000); });
  CHECK(pool.statistics().capacity_bytes <= cap_bytes);
  CHECK(pool.statistics().evictions > 0);
  CHECK(pool.statistics().buffers == record.count());
}

TEST_CASE("Pool threads: statistics, trim and thread_exit may be called while others use the pool") {
  UpstreamRecord record;
  ThreadPool pool = make_pool(record, 5'000'000);
  on_threads(4, [&](std::uint32_t index) {
    if (index != 4) return churn(pool, index, 4000, 300'000);
    for (int i = 0; i < 200; ++i) {
      pool.thread_exit(static_cast<std::uint32_t>(i % 3 + 1));
      (void)pool.statistics();
      pool.trim(1'000'000);
    }
  });
  pool.trim(0);
  CHECK(pool.statistics().reserved_bytes == 0);
  CHECK(record.count() == 0);
}

TEST_CASE("Pool threads: blocks handed from producer to consumer are recycled and not piled up") {
  constexpr int count = 20'000;
  UpstreamRecord record;
  ThreadPool pool = make_pool(record, std::uint64_t{1} << 30);
  std::array<std::atomic<TestBlock*>, 32> queue{};
  on_threads(2, [&](std::uint32_t index) {
    for (std::size_t i = 0; i < count; ++i) {
      std::atomic<TestBlock*>& place = queue[i % queue.size()];
      if (index == 1) {
        TestBlock& block = pool.acquire(4096, 0);
        std::memset(block.address, static_cast<int>(i), 16);
        while (place.load(std::memory_order_acquire) != nullptr) std::this_thread::yield();
        place.store(&block, std::memory_order_release);
      } else {
        TestBlock* block = nullptr;
        while ((block = place.load(std::memory_order_acquire)) == nullptr) std::this_thread::yield();
        place.store(nullptr, std::memory_order_release);
        REQUIRE(*static_cast<unsigned char*>(block->address) == i % 256);
        ThreadPool::release(*block);
      }
    }
  });
  // What is out in the queue, and what two magazines and a batch may keep back.
  CHECK(pool.statistics().misses <= queue.size() + 1 + 2 * magazine_blocks_max);
  CHECK(pool.statistics().live_count == 0);
}

TEST_CASE("Pool threads: blocks released by many threads after their pool ended are all freed") {
  UpstreamRecord record;
  std::vector<TestBlock*> blocks;
  {
    ThreadPool pool = make_pool(record, std::uint64_t{1} << 30);
    for (int i = 0; i < 400; ++i) blocks.push_back(&pool.acquire(4096, 0));
  }
  CHECK(record.count() == 400);
  on_threads(4, [&](std::uint32_t index) {
    for (std::size_t i = index - 1; i < blocks.size(); i += 4) ThreadPool::release(*blocks[i]);
  });
  CHECK(record.count() == 0);
}

TEST_CASE("Pool threads: a pool may end while other threads release its blocks") {
  for (int round = 0; round < 150; ++round) {
    UpstreamRecord record;
    std::optional<ThreadPool> pool(make_pool(record, round % 3 == 0 ? 50'000 : std::uint64_t{1} << 30));
    std::vector<TestBlock*> blocks;
    for (std::uint64_t i = 0; i < 90; ++i) {
      own_index = static_cast<std::uint32_t>(i % 3);
      blocks.push_back(&pool->acquire(std::uint64_t{64} << (i % 12), 0));
    }
    for (std::size_t i = 0; i < 30; ++i) ThreadPool::release(*blocks[i]);
    // One thread with a magazine, one that gets its first one during the race, one that never has one.
    constexpr std::array<std::uint32_t, 3> indices{1, 7, UINT32_MAX};
    std::barrier start(4);
    on_threads(4, [&](std::uint32_t index) {
      if (index != 4) own_index = indices[index - 1];
      start.arrive_and_wait();
      if (index == 4) return pool.reset();
      for (std::size_t i = 30 + index - 1; i < blocks.size(); i += 3) ThreadPool::release(*blocks[i]);
    });
    REQUIRE(record.count() == 0);
  }
  own_index = 0;
}

TEST_CASE("Pool threads: a thread that takes over an ended thread's index goes on with its magazine") {
  UpstreamRecord record;
  ThreadPool pool = make_pool(record, std::uint64_t{1} << 30);
  for (std::uint32_t generation = 0; generation < 50; ++generation) {
    std::thread thread([&] {
      own_index = 1;
      churn(pool, generation, 50, 5000);
      pool.thread_exit(1);
    });
    thread.join();
  }
  CHECK(pool.statistics().live_count == 0);
  CHECK(pool.statistics().misses < 400);
}

TEST_CASE("Pool threads: detaching and giving back on several threads keeps the counts exact") {
  UpstreamRecord record;
  ThreadPool pool = make_pool(record, std::uint64_t{1} << 30);
  on_threads(3, [&](std::uint32_t) {
    for (int i = 0; i < 500; ++i) {
      TestBlock& first = pool.acquire(1000, 0);
      TestBlock& second = pool.acquire(1000, 0);
      ThreadPool::detach(first);
      ThreadPool::detach(second);
      pool.give_back(first);
      ThreadPool::release(second);
    }
  });
  const Statistics statistics = pool.statistics();
  CHECK(statistics.detached == 1500);
  CHECK(statistics.live_count == 0);
  CHECK(statistics.buffers == record.count());
}

TEST_CASE(
    "Pool threads: snapshots while others use the pool list blocks that are or were, and the last adds up") {
  UpstreamRecord record;
  for (const Mode mode : {Mode::count, Mode::trace}) {
    ThreadPool pool(RecordingUpstream{&record}, OwnThreadIndex{},
                    {.retained_bytes_max = 100'000, .mode = mode, .trace_events_max = 500});
    on_threads(3, [&](std::uint32_t index) {
      if (index != 1) return churn(pool, index, 1500, 5000);
      for (int i = 0; i < 60; ++i) {
        std::uint64_t last_sequence = 0;
        const Snapshot snapshot = pool.snapshot();
        for (const tenure_pool_block& block : snapshot.blocks) {
          if (block.address == 0 || block.state > TENURE_POOL_BLOCK_DETACHED) FAIL("no such block");
        }
        for (const tenure_pool_event& event : snapshot.events) {
          if (event.sequence <= last_sequence) FAIL("the events are out of order");
          last_sequence = event.sequence;
        }
      }
    });
    std::uint64_t bytes = 0;
    for (const tenure_pool_block& block : pool.snapshot().blocks) {
      CHECK(block.state == TENURE_POOL_BLOCK_IDLE);
      bytes += block.capacity_bytes;
    }
    CHECK(bytes == pool.statistics().reserved_bytes);
  }
}
