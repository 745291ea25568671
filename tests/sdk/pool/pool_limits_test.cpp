// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "recording_upstream.hpp"

using namespace tenure::sdk::pool;
using tenure::test::PoolFixture;
using tenure::test::TestPool;

namespace {

using TestBlock = TestPool::Block;

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;

PoolOptions keeping(std::uint64_t bytes) { return {.retained_bytes_max = bytes, .mode = Mode::count}; }

std::vector<TestBlock*> acquire_many(TestPool& pool, std::uint64_t count, std::uint64_t bytes) {
  std::vector<TestBlock*> blocks;
  for (std::uint64_t i = 0; i < count; ++i) blocks.push_back(&pool.acquire(bytes, 0));
  return blocks;
}

void release_all(const std::vector<TestBlock*>& blocks) {
  for (TestBlock* block : blocks) TestPool::release(*block);
}

}  // namespace

TEST_CASE("Pool cap: a cap of 0 keeps nothing") {
  PoolFixture fixture(keeping(0));
  TestPool::release(fixture.pool.acquire(64, 0));
  CHECK(fixture.pool.statistics().buffers == 0);
  CHECK(fixture.record.count() == 0);
}

TEST_CASE("Pool cap: equal blocks fill it exactly and not one more is kept") {
  for (const std::uint64_t bytes : {std::uint64_t{64}, std::uint64_t{4096}, mebibyte, 64 * mebibyte}) {
    CAPTURE(bytes);
    PoolFixture fixture(keeping(40 * bytes));
    release_all(acquire_many(fixture.pool, 50, bytes));
    CHECK(fixture.pool.statistics().buffers == 40);
    CHECK(fixture.pool.statistics().capacity_bytes == 40 * bytes);
    CHECK(fixture.record.count() == 40);
  }
}

TEST_CASE("Pool cap: it also fills exactly when another thread releases what one thread had at hand") {
  PoolFixture fixture(keeping(4 * 4096));
  release_all(acquire_many(fixture.pool, 4, 4096));
  const auto blocks = acquire_many(fixture.pool, 4, 4096);
  fixture.thread_index = 1;
  release_all(blocks);
  CHECK(fixture.pool.statistics().buffers == 4);
  CHECK(fixture.pool.statistics().evictions == 0);
}

TEST_CASE("Pool cap: a block above the cap is freed and takes nothing with it") {
  PoolFixture fixture(keeping(8192));
  TestBlock& large = fixture.pool.acquire(16384, 0);
  release_all(acquire_many(fixture.pool, 2, 4096));
  TestPool::release(large);
  CHECK(fixture.pool.statistics().buffers == 2);
  CHECK(fixture.pool.statistics().evictions == 0);
}

TEST_CASE("Pool cap: what has been idle for longest makes room") {
  PoolFixture fixture(keeping(3 * 4096));
  fixture.thread_index = MagazineRack<TestBlock>::threads_max;  // central lists only, which know the order
  TestBlock& first = fixture.pool.acquire(4096, 0);
  TestBlock& second = fixture.pool.acquire(2048, 0);
  TestBlock& third = fixture.pool.acquire(1024, 0);
  TestBlock& large = fixture.pool.acquire(8192, 0);
  release_all({&second, &first, &third});

  TestPool::release(large);
  CHECK(fixture.pool.statistics().evictions == 2);
  CHECK(fixture.pool.statistics().buffers == 2);
  TestBlock& kept = fixture.pool.acquire(1024, 0);
  CHECK(&kept == &third);
  TestPool::release(kept);
}

TEST_CASE("Pool cap: trim frees the blocks that have been idle for longest and no more than needed") {
  PoolFixture fixture(keeping(mebibyte));
  fixture.thread_index = MagazineRack<TestBlock>::threads_max;
  const auto blocks = acquire_many(fixture.pool, 10, 1024);
  release_all(blocks);
  CHECK(fixture.pool.trim(10 * 1024) == 0);
  CHECK(fixture.pool.trim(7 * 1024 + 1) == 3 * 1024);
  CHECK(fixture.pool.statistics().buffers == 7);
  TestBlock& newest = fixture.pool.acquire(1024, 0);
  CHECK(&newest == blocks.back());
  TestPool::release(newest);
  CHECK(fixture.pool.trim(0) == 7 * 1024);
  CHECK(fixture.record.count() == 0);
}

TEST_CASE("Pool cap: trim reaches what is at hand in every thread") {
  PoolFixture fixture(keeping(64 * mebibyte));
  for (fixture.thread_index = 0; fixture.thread_index < 10; ++fixture.thread_index) {
    release_all(acquire_many(fixture.pool, 3, 4096));
  }
  CHECK(fixture.pool.statistics().buffers == 30);
  CHECK(fixture.pool.trim(0) == 30 * 4096);
  CHECK(fixture.record.count() == 0);
}

TEST_CASE("Pool ladder: a refused size is served by an idle block up to a quarter larger") {
  PoolFixture fixture(keeping(mebibyte));
  TestPool::release(fixture.pool.acquire(10240, 0));
  fixture.record.refuse_from_now_on();
  TestBlock& similar = fixture.pool.acquire(8192, 0);
  CHECK(similar.capacity_bytes == 10240);
  CHECK(fixture.pool.statistics().evictions == 0);
  CHECK(fixture.pool.statistics().hits == 1);
  TestPool::release(similar);
}

TEST_CASE(
    "Pool ladder: an idle block of more than a quarter above the size is freed and the system is asked "
    "again") {
  PoolFixture fixture(keeping(mebibyte));
  fixture.record.limit(16384);
  TestPool::release(fixture.pool.acquire(12288, 0));
  TestBlock& block = fixture.pool.acquire(8192, 0);
  CHECK(block.capacity_bytes == 8192);
  CHECK(fixture.pool.statistics().evictions == 1);
  CHECK(fixture.record.bytes() == 8192);
  TestPool::release(block);
}

TEST_CASE("Pool ladder: a request that fits only without the rounding of its class is served and not kept") {
  PoolFixture fixture(keeping(mebibyte));
  fixture.record.limit(8200);
  TestPool::release(fixture.pool.acquire(4096, 0));
  TestBlock& block = fixture.pool.acquire(8193, 0);
  CHECK(block.bytes == 8193);
  CHECK(block.alignment_bytes == block_alignment_bytes);
  CHECK(reinterpret_cast<std::uintptr_t>(block.address) % block_alignment_bytes == 0);
  CHECK(fixture.pool.statistics().live_bytes == 8193);
  CHECK(fixture.pool.statistics().evictions == 1);
  TestPool::release(block);
  CHECK(fixture.pool.statistics().live_count == 0);
  CHECK(fixture.pool.statistics().buffers == 0);
  CHECK(fixture.record.count() == 0);

  TestBlock& detached = fixture.pool.acquire(8193, 0);
  TestPool::detach(detached);
  fixture.pool.give_back(detached);
  CHECK(fixture.pool.statistics().reserved_bytes == 0);
  CHECK(fixture.pool.statistics().detached == 0);
  CHECK(fixture.record.count() == 0);
  CHECK_THROWS_AS((void)fixture.pool.acquire(8201, 0), tenure::sdk::Error);
}

TEST_CASE("Pool ladder: blocks at hand in other threads count as idle") {
  PoolFixture fixture(keeping(mebibyte));
  fixture.record.limit(16384);
  fixture.thread_index = 3;
  release_all(acquire_many(fixture.pool, 16, 1024));
  fixture.thread_index = 0;
  TestBlock& block = fixture.pool.acquire(16384, 0);
  CHECK(fixture.pool.statistics().evictions == 16);
  TestPool::release(block);
}

TEST_CASE(
    "Pool ladder: out of memory is typed, says what is in use, and leaves nothing idle and the pool usable") {
  PoolFixture fixture(keeping(mebibyte));
  TestBlock& live = fixture.pool.acquire(4096, 0);
  release_all(acquire_many(fixture.pool, 5, 512));
  fixture.record.refuse_from_now_on();
  try {
    (void)fixture.pool.acquire(8192, 0);
    FAIL("expected an error");
  } catch (const tenure::sdk::Error& error) {
    CHECK(error.code() == TENURE_RESOURCE_EXHAUSTED);
    const std::string text = error.what();
    CHECK(text.find("no room for 8192 bytes") != text.npos);
    CHECK(text.find("live 1 of 4096 bytes") != text.npos);
    CHECK(text.size() < sizeof(tenure_status::message));
  }
  CHECK(fixture.pool.statistics().buffers == 0);
  CHECK(fixture.pool.statistics().live_count == 1);
  fixture.record.refuse_nothing();
  release_all({&live, &fixture.pool.acquire(8192, 0)});
}

TEST_CASE("Pool ladder: a size that no block has is refused without freeing anything") {
  PoolFixture fixture({.mode = Mode::count, .bytes_max = mebibyte});
  TestPool::release(fixture.pool.acquire(4096, 0));
  for (const std::uint64_t bytes : {mebibyte + 1U, block_bytes_max + 1U, UINT64_MAX}) {
    try {
      (void)fixture.pool.acquire(bytes, 0);
      FAIL("expected an error");
    } catch (const tenure::sdk::Error& error) {
      CHECK(error.code() == TENURE_RESOURCE_EXHAUSTED);
    }
  }
  CHECK_THROWS_AS((void)fixture.pool.acquire(1, std::uint64_t{1} << 63), tenure::sdk::Error);
  CHECK(fixture.pool.statistics().buffers == 1);
  CHECK(fixture.record.calls() == 1);
}

TEST_CASE("Pool ladder: what the upstream throws passes through and changes nothing") {
  PoolFixture fixture(keeping(mebibyte));
  TestPool::release(fixture.pool.acquire(4096, 0));
  const Statistics before = fixture.pool.statistics();
  fixture.record.throw_from_now_on();
  CHECK_THROWS_WITH_AS((void)fixture.pool.acquire(64, 0), "the device is lost", std::runtime_error);
  CHECK(fixture.pool.statistics() == before);
}
