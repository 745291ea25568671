// SPDX-License-Identifier: Apache-2.0
#include "tenure/sdk/pool/pool.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "recording_upstream.hpp"

using namespace tenure::sdk::pool;
using tenure::test::PlayedThreadIndex;
using tenure::test::PoolFixture;
using tenure::test::RecordingUpstream;
using tenure::test::TestPool;
using tenure::test::UpstreamRecord;

namespace {

using TestBlock = TestPool::Block;

constexpr std::uint64_t matrix_bytes = 64 * 64 * sizeof(double);

// The status code of what `body` throws, or 0.
template <class Body>
std::int32_t thrown_code(const Body& body) {
  try {
    body();
  } catch (const tenure::sdk::Error& error) {
    return error.code();
  }
  return TENURE_OK;
}

bool is_aligned(const TestBlock& block, std::uint64_t alignment_bytes) {
  return reinterpret_cast<std::uintptr_t>(block.address) % alignment_bytes == 0;
}

}  // namespace

TEST_CASE_FIXTURE(PoolFixture, "Pool: a released block is handed out again for the same size") {
  TestBlock& first = pool.acquire(matrix_bytes, 0);
  const void* const address = first.address;
  TestPool::release(first);
  TestBlock& second = pool.acquire(matrix_bytes, 0);
  CHECK(second.address == address);
  CHECK(record.calls() == 1);
  TestPool::release(second);
}

TEST_CASE_FIXTURE(PoolFixture,
                  "Pool: a 64 by 64 matrix counts as one buffer of exactly 32768 bytes once idle") {
  TestBlock& block = pool.acquire(matrix_bytes, 0);
  CHECK(pool.statistics().buffers == 0);
  CHECK(pool.statistics().live_bytes == 32768);
  TestPool::release(block);
  CHECK(pool.statistics().buffers == 1);
  CHECK(pool.statistics().capacity_bytes == 32768);
  CHECK(pool.statistics().live_count == 0);
}

TEST_CASE_FIXTURE(PoolFixture, "Pool: live blocks never share a byte") {
  std::vector<TestBlock*> blocks;
  for (unsigned char i = 0; i < 100; ++i) {
    blocks.push_back(&pool.acquire(1000, 0));
    std::memset(blocks.back()->address, i, 1000);
    if (i % 3 == 2) {
      TestPool::release(*blocks.front());
      blocks.erase(blocks.begin());
    }
  }
  std::set<unsigned char> seen;
  for (TestBlock* block : blocks) {
    const auto* bytes = static_cast<const unsigned char*>(block->address);
    for (int i = 1; i < 1000; ++i) REQUIRE(bytes[i] == bytes[0]);
    CHECK(seen.insert(bytes[0]).second);
    TestPool::release(*block);
  }
}

TEST_CASE("Pool: a block outlives its pool and is freed by its release") {
  UpstreamRecord record;
  const std::uint32_t thread_index = 0;
  std::optional<TestPool> pool(std::in_place, RecordingUpstream{&record}, PlayedThreadIndex{&thread_index},
                               PoolOptions{.mode = Mode::count});
  TestBlock& block = pool->acquire(matrix_bytes, 0);
  TestPool::release(pool->acquire(matrix_bytes, 0));
  CHECK(record.count() == 2);

  pool.reset();
  CHECK(record.count() == 1);
  std::memset(block.address, 1, matrix_bytes);
  TestPool::release(block);
  CHECK(record.count() == 0);
}

TEST_CASE_FIXTURE(PoolFixture,
                  "Pool: a block released by another thread serves that thread, and the first one") {
  TestBlock& block = pool.acquire(matrix_bytes, 0);
  const void* const address = block.address;
  thread_index = 1;
  TestPool::release(block);
  TestBlock& there = pool.acquire(matrix_bytes, 0);
  CHECK(there.address == address);
  TestPool::release(there);

  thread_index = 0;
  pool.thread_exit(1);
  TestBlock& here = pool.acquire(matrix_bytes, 0);
  CHECK(here.address == address);
  TestPool::release(here);
  CHECK(record.calls() == 1);
}

TEST_CASE_FIXTURE(
    PoolFixture,
    "Pool: a large block idle in another thread's magazine is found before the system is asked") {
  TestBlock& block = pool.acquire(steal_bytes_min, 0);
  TestPool::release(block);
  thread_index = 1;
  TestBlock& stolen = pool.acquire(steal_bytes_min, 0);
  CHECK(&stolen == &block);
  TestPool::release(stolen);
}

TEST_CASE_FIXTURE(PoolFixture, "Pool: detaching takes the block out of every count but detached") {
  TestBlock& block = pool.acquire(matrix_bytes, 0);
  TestPool::detach(block);
  TestPool::detach(block);
  CHECK(pool.statistics().live_count == 0);
  CHECK(pool.statistics().reserved_bytes == 0);
  CHECK(pool.statistics().detached == 1);

  TestPool::release(block);
  CHECK(pool.statistics().buffers == 0);
  CHECK(pool.statistics().detached == 1);
  CHECK(record.count() == 0);
}

TEST_CASE_FIXTURE(PoolFixture,
                  "Pool: a detached block that is given back is one idle buffer of its exact capacity") {
  TestBlock& block = pool.acquire(matrix_bytes, 0);
  const void* const address = block.address;
  TestPool::detach(block);
  pool.give_back(block);
  CHECK(pool.statistics().buffers == 1);
  CHECK(pool.statistics().capacity_bytes == 32768);
  CHECK(pool.statistics().detached == 0);
  TestBlock& again = pool.acquire(matrix_bytes, 0);
  CHECK(again.address == address);
  TestPool::release(again);
}

TEST_CASE_FIXTURE(PoolFixture, "Pool: a block that was never detached can be given back too") {
  pool.give_back(pool.acquire(matrix_bytes, 0));
  CHECK(pool.statistics().buffers == 1);
  CHECK(pool.statistics().detached == 0);
}

TEST_CASE_FIXTURE(PoolFixture,
                  "Pool: giving back refuses blocks of other pools and of none and leaves them alone") {
  TestPool other(RecordingUpstream{&record}, PlayedThreadIndex{&thread_index}, {.mode = Mode::count});
  TestBlock& foreign = other.acquire(matrix_bytes, 0);
  CHECK(thrown_code([&] { pool.give_back(foreign); }) == TENURE_INVALID_ARGUMENT);
  TestPool::detach(foreign);
  CHECK(thrown_code([&] { pool.give_back(foreign); }) == TENURE_INVALID_ARGUMENT);
  CHECK(other.statistics().detached == 1);
  other.give_back(foreign);

  TestBlock unpooled;
  CHECK(thrown_code([&] { pool.give_back(unpooled); }) == TENURE_INVALID_ARGUMENT);
  TestPool::detach(unpooled);
  CHECK(unpooled.state == BlockState::live);
}

TEST_CASE_FIXTURE(PoolFixture, "Pool: the block of an operation that failed before it was done comes back") {
  const void* address = nullptr;
  try {
    const std::unique_ptr<TestBlock, void (*)(TestBlock*)> output(
        &pool.acquire(matrix_bytes, 0), [](TestBlock* block) { TestPool::release(*block); });
    address = output->address;
    throw std::runtime_error("the operation failed");
  } catch (const std::runtime_error&) {
  }
  TestBlock& again = pool.acquire(matrix_bytes, 0);
  CHECK(again.address == address);
  TestPool::release(again);
}

TEST_CASE_FIXTURE(PoolFixture, "Pool: a small request does not take a huge block") {
  TestPool::release(pool.acquire(std::uint64_t{100} << 20, 0));
  TestBlock& small = pool.acquire(1, 0);
  CHECK(small.capacity_bytes == 64);
  CHECK(pool.statistics().buffers == 1);
  TestPool::release(small);
}

TEST_CASE_FIXTURE(PoolFixture, "Pool: a block of 256 MiB is reused") {
  TestBlock& first = pool.acquire(std::uint64_t{256} << 20, 0);
  const void* const address = first.address;
  TestPool::release(first);
  TestBlock& second = pool.acquire(std::uint64_t{256} << 20, 0);
  CHECK(second.address == address);
  TestPool::release(second);
}

TEST_CASE_FIXTURE(PoolFixture, "Pool: half as many elements of twice the size reuse the block") {
  TestBlock& doubles = pool.acquire(4096 * sizeof(double), 0);
  const void* const address = doubles.address;
  TestPool::release(doubles);
  TestBlock& floats = pool.acquire(8192 * sizeof(float), 0);
  CHECK(floats.address == address);
  TestPool::release(floats);
}

TEST_CASE_FIXTURE(
    PoolFixture,
    "Pool: 10000 distinct sizes neither multiply the blocks nor leave a size without its block") {
  for (int round = 0; round < 2; ++round) {
    for (std::uint64_t bytes = 1; bytes <= 10'000 * 24; bytes += 24)
      TestPool::release(pool.acquire(bytes, 0));
  }
  CHECK(pool.statistics().buffers <= size_class_of(10'000 * 24) + 1);
  CHECK(pool.statistics().misses == pool.statistics().buffers);
}

TEST_CASE_FIXTURE(PoolFixture, "Pool: hits, misses, evictions and bytes in flight are counted") {
  TestBlock& first = pool.acquire(4096, 0);
  TestBlock& second = pool.acquire(4096, 0);
  TestPool::release(first);
  TestBlock& third = pool.acquire(4096, 0);
  Statistics statistics = pool.statistics();
  CHECK(statistics.misses == 2);
  CHECK(statistics.hits == 1);
  CHECK(statistics.live_count == 2);
  CHECK(statistics.live_bytes == 8192);

  TestPool::release(second);
  TestPool::release(third);
  CHECK(pool.trim(4096) == 4096);
  statistics = pool.statistics();
  CHECK(statistics.evictions == 1);
  CHECK(statistics.buffers == 1);
  CHECK(statistics.reserved_bytes == 4096);
  CHECK(statistics.peak_bytes == 8192);
}

TEST_CASE_FIXTURE(PoolFixture,
                  "Pool: blocks are aligned to 64 bytes, from 256 bytes on to 256, and to more when asked") {
  for (const std::uint64_t bytes : {0U, 1U, 64U, 192U, 193U, 256U, 5000U, 1U << 20U, 5U << 20U}) {
    for (std::uint64_t alignment_bytes = 0; alignment_bytes <= 8192; alignment_bytes += alignment_bytes + 1) {
      CAPTURE(bytes);
      const std::uint64_t asked_bytes = alignment_bytes == 0 ? 0 : (alignment_bytes + 1) / 2;
      CAPTURE(asked_bytes);
      TestBlock& block = pool.acquire(bytes, asked_bytes);
      CHECK(block.bytes >= bytes);
      CHECK(is_aligned(block, bytes > 192 ? 256 : 64));
      CHECK(is_aligned(block, std::max<std::uint64_t>(asked_bytes, 1)));
      TestPool::release(block);
    }
  }
}

TEST_CASE_FIXTURE(PoolFixture, "Pool: an idle block with too little alignment stays idle") {
  TestBlock* blocks[64];
  for (TestBlock*& block : blocks) block = &pool.acquire(512, 0);
  for (TestBlock* block : blocks) TestPool::release(*block);
  TestBlock& aligned = pool.acquire(512, 65536);
  CHECK(is_aligned(aligned, 65536));
  CHECK(pool.statistics().buffers == 64);
  TestPool::release(aligned);
  TestBlock& again = pool.acquire(512, 65536);
  CHECK(&again == &aligned);
  TestPool::release(again);
}

TEST_CASE_FIXTURE(PoolFixture, "Pool: an alignment that is no power of two is refused") {
  for (const std::uint64_t alignment_bytes : {3U, 100U, 192U, 300U}) {
    CHECK(thrown_code([&] { (void)pool.acquire(1, alignment_bytes); }) == TENURE_INVALID_ARGUMENT);
  }
  CHECK(record.calls() == 0);
}

TEST_CASE_FIXTURE(PoolFixture, "Pool: threads whose index is too large share the central lists") {
  thread_index = MagazineRack<TestBlock>::threads_max;
  TestBlock& block = pool.acquire(matrix_bytes, 0);
  TestPool::release(block);
  thread_index = UINT32_MAX;
  TestBlock& again = pool.acquire(matrix_bytes, 0);
  CHECK(&again == &block);
  TestPool::release(again);
  pool.thread_exit(UINT32_MAX);
  CHECK(pool.statistics().buffers == 1);
  CHECK(pool.statistics().hits == 1);
}

TEST_CASE_FIXTURE(PoolFixture, "Pool: a release within the caps makes no system call") {
  std::vector<TestBlock*> blocks;
  for (int i = 0; i < 100; ++i) blocks.push_back(&pool.acquire(4096, 0));
  const std::uint64_t calls = record.calls();
  for (TestBlock* block : blocks) TestPool::release(*block);
  CHECK(record.calls() == calls);
  CHECK(record.releases() == 0);
  CHECK(pool.statistics().buffers == 100);
}

TEST_CASE("Pool: the payload of a block is the provider's and stays with the block") {
  struct Payload {
    std::uint64_t allocation_id = 7;
  };
  UpstreamRecord record;
  const std::uint32_t thread_index = 0;
  Pool<RecordingUpstream, PlayedThreadIndex, Payload> pool(RecordingUpstream{&record},
                                                           PlayedThreadIndex{&thread_index},
                                                           {.mode = Mode::count}, {.allocation_id = 5});
  auto& block = pool.acquire(100, 0);
  CHECK(block.payload.allocation_id == 5);
  block.payload.allocation_id = 8;
  pool.release(block);
  auto& again = pool.acquire(100, 0);
  CHECK(again.payload.allocation_id == 8);
  pool.release(again);
}

TEST_CASE_FIXTURE(PoolFixture, "Pool: moving a pool moves its blocks") {
  TestPool::release(pool.acquire(4096, 0));
  TestPool moved = std::move(pool);
  CHECK(moved.statistics().buffers == 1);
  moved = TestPool(RecordingUpstream{&record}, PlayedThreadIndex{&thread_index}, {.mode = Mode::count});
  CHECK(moved.statistics().buffers == 0);
  CHECK(record.count() == 0);
}
