// SPDX-License-Identifier: Apache-2.0
#include "tenure/sdk/pool/block_source.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "recording_upstream.hpp"

using namespace tenure::sdk::pool;
using tenure::test::PlayedThreadIndex;
using tenure::test::PoolFixture;
using tenure::test::RecordingUpstream;
using tenure::test::TestPool;

namespace {

using TestBlock = TestPool::Block;

// What the handler was told.
struct Reports {
  static void add(void* context, const Violation& violation) noexcept {
    static_cast<Reports*>(context)->list.push_back(violation);
  }
  ViolationHandler handler() { return {&add, this}; }
  std::vector<Violation> list;
};

struct DeviceUpstream : RecordingUpstream {
  static constexpr bool is_host_memory = false;
};

unsigned char* bytes_of(const TestBlock& block) { return static_cast<unsigned char*>(block.address); }

template <class T>
T element(const TestBlock& block) {
  T value;
  std::memcpy(&value, block.address, sizeof value);
  return value;
}

}  // namespace

TEST_CASE("Poison mode: a block is handed out full of one kind of NaN, first use and reuse alike") {
  PoolFixture fixture({.mode = Mode::poison});
  for (int round = 0; round < 2; ++round) {
    TestBlock& block = fixture.pool.acquire(1000, 0);
    const std::span words(static_cast<const std::uint16_t*>(block.address), block.capacity_bytes / 2);
    CHECK(std::all_of(words.begin(), words.end(), [](std::uint16_t word) { return word == unwritten_word; }));
    CHECK(std::isnan(element<float>(block)));
    CHECK(std::isnan(element<double>(block)));
    std::memset(block.address, 0, block.bytes);
    TestPool::release(block);
  }
}

TEST_CASE("Poison mode: an element that was never written is seen") {
  PoolFixture fixture({.mode = Mode::poison});
  TestBlock& block = fixture.pool.acquire(8 * sizeof(double), 0);
  auto* elements = static_cast<double*>(block.address);
  for (int i = 0; i < 8; ++i) {
    if (i != 5) elements[i] = i;
  }
  for (int i = 0; i < 8; ++i) CHECK(std::isnan(elements[i]) == (i == 5));
  TestPool::release(block);
}

TEST_CASE("Poison mode: the two patterns are NaN in every float type, no bool, and told apart") {
  CHECK((unwritten_word & 0x7C00) == 0x7C00);
  CHECK((unwritten_word & 0x03FF) != 0);
  CHECK((unwritten_word & 0x7F80) == 0x7F80);
  CHECK((unwritten_word & 0x007F) != 0);
  CHECK((unwritten_word & 0xFF) > 1);
  CHECK((unwritten_word >> 8) > 1);
  CHECK(unwritten_word != 0xFFFF);

  alignas(64) unsigned char bytes[64];
  fill_released(bytes, sizeof bytes);
  CHECK(std::all_of(std::begin(bytes), std::end(bytes), [](unsigned char b) { return b == 0xFF; }));
}

TEST_CASE(
    "Guard mode: a write before the block is reported with block, side and place, and the block is not "
    "reused") {
  Reports reports;
  PoolFixture fixture({.mode = Mode::guard, .on_violation = reports.handler()});
  TestBlock& block = fixture.pool.acquire(100, 0);
  const void* const address = block.address;
  bytes_of(block)[-3] = 0;
  TestPool::release(block);
  REQUIRE(reports.list.size() == 1);
  CHECK(reports.list[0].kind == ViolationKind::written_before_block);
  CHECK(reports.list[0].address == address);
  CHECK(reports.list[0].bytes == 100);
  CHECK(reports.list[0].offset_bytes == -3);
  CHECK(fixture.pool.statistics().buffers == 0);
  CHECK(fixture.pool.statistics().reserved_bytes == 0);
  CHECK(fixture.record.count() == 0);
}

TEST_CASE("Guard mode: a write one byte behind the requested size is reported") {
  Reports reports;
  PoolFixture fixture({.mode = Mode::guard, .on_violation = reports.handler()});
  for (const std::uint64_t bytes : {1U, 64U, 100U, 5000U}) {
    TestBlock& block = fixture.pool.acquire(bytes, 0);
    CHECK(block.bytes == bytes);
    bytes_of(block)[bytes] = 0;
    TestPool::release(block);
    REQUIRE(reports.list.size() == 1);
    CHECK(reports.list[0].kind == ViolationKind::written_behind_block);
    CHECK(reports.list[0].offset_bytes == static_cast<std::int64_t>(bytes));
    reports.list.clear();
  }
}

TEST_CASE("Guard mode: damage to a detached block is reported when it is released") {
  Reports reports;
  PoolFixture fixture({.mode = Mode::guard, .on_violation = reports.handler()});
  TestBlock& block = fixture.pool.acquire(100, 0);
  TestPool::detach(block);
  bytes_of(block)[130] = 0;
  TestPool::release(block);
  CHECK(reports.list.size() == 1);
  CHECK(fixture.record.count() == 0);
}

TEST_CASE("Guard mode: a block that is used within its bounds is reused, and its capacity does not grow") {
  Reports reports;
  PoolFixture fixture({.mode = Mode::guard, .on_violation = reports.handler()});
  for (const std::uint64_t bytes : {90U, 128U, 70U}) {
    TestBlock& block = fixture.pool.acquire(bytes, 0);
    std::memset(block.address, 0, bytes);
    TestPool::release(block);
    CHECK(fixture.pool.statistics().capacity_bytes == 128);
  }
  CHECK(reports.list.empty());
  CHECK(fixture.pool.statistics().misses == 1);
}

TEST_CASE("Pool: a second release of an idle block is reported and does nothing") {
  Reports reports;
  PoolFixture fixture({.mode = Mode::count, .on_violation = reports.handler()});
  TestBlock& block = fixture.pool.acquire(100, 0);
  TestPool::release(block);
  TestPool::release(block);
  REQUIRE(reports.list.size() == 1);
  CHECK(reports.list[0].kind == ViolationKind::released_twice);
  CHECK(fixture.pool.statistics().buffers == 1);
}

TEST_CASE("Bypass mode: every block comes from the system at its exact size and goes straight back") {
  PoolFixture fixture({.mode = Mode::bypass});
  for (const std::uint64_t bytes : {1U, 100U, 5000U}) {
    TestBlock& block = fixture.pool.acquire(bytes, 0);
    CHECK(block.capacity_bytes == bytes);
    CHECK(fixture.record.bytes() == bytes);
    CHECK(fixture.pool.statistics().live_bytes == bytes);
    TestPool::release(block);
    CHECK(fixture.record.count() == 0);
  }
  CHECK(fixture.pool.statistics().hits == 0);
  CHECK(fixture.pool.statistics().misses == 3);
}

TEST_CASE("Mode: the default is bypass under AddressSanitizer and count otherwise") {
  CHECK(PoolOptions{}.mode == (is_address_sanitized ? Mode::bypass : Mode::count));
}

TEST_CASE("Pool: memory that the host may not write has no poison and no guard mode") {
  using DevicePool = Pool<DeviceUpstream, PlayedThreadIndex>;
  tenure::test::UpstreamRecord record;
  const std::uint32_t thread_index = 0;
  for (const Mode mode : {Mode::poison, Mode::guard}) {
    CHECK_THROWS_AS(DevicePool({{&record}}, {&thread_index}, {.mode = mode}), tenure::sdk::Error);
  }
  DevicePool pool({{&record}}, {&thread_index}, {.mode = Mode::count});
  pool.release(pool.acquire(100, 0));
  CHECK(pool.statistics().buffers == 1);
}

#if defined(TENURE_SDK_ADDRESS_SANITIZER)
TEST_CASE("AddressSanitizer: idle blocks are out of bounds and blocks that are out are not") {
  PoolFixture fixture({.mode = Mode::count});
  TestBlock& block = fixture.pool.acquire(4096, 0);
  void* const address = block.address;
  CHECK(__asan_region_is_poisoned(address, 4096) == nullptr);
  TestPool::release(block);
  CHECK(__asan_region_is_poisoned(address, 4096) == address);
  TestBlock& again = fixture.pool.acquire(4096, 0);
  CHECK(__asan_region_is_poisoned(again.address, 4096) == nullptr);
  TestPool::release(again);
}
#endif
