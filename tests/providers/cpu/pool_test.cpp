// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <thread>
#include <vector>

#include "cpu_file.hpp"
#include "providers/test_pool.hpp"
#include "tenure/sdk/pool/address_sanitizer.hpp"
#include "tenure/sdk/pool/host_upstream.hpp"

using namespace tenure_test;

TEST_CASE("cpu pool: recycled memory is plain host memory without an identity") {
  const OpenInstance instance(cpu());
  const TestPool pool(instance, 0);
  for (int round = 0; round < 20; ++round) {
    const auto made = pool.acquire(5000);
    REQUIRE(made.address != nullptr);
    CHECK(reinterpret_cast<std::uintptr_t>(made.address) % 64 == 0);
    CHECK(made.bytes >= 5000);
    CHECK(made.allocation_id == 0);
    std::memset(made.address, round, 5000);
    instance.release(made.storage);
  }
  CHECK(pool.statistics().misses == 1);
  CHECK(pool.statistics().hits == 19);
}

TEST_CASE("cpu pool: the domain counts what a pool hands out, keeps and gives back") {
  const OpenInstance instance(cpu());
  const TestPool pool(instance, 0);
  const auto made = pool.acquire(1000);
  CHECK(instance.statistics(0).live_count == 1);
  CHECK(instance.statistics(0).live_bytes == 1000);
  CHECK(instance.statistics(0).create_calls == 0);
  CHECK(instance.statistics(0).reserved_bytes == pool.statistics().reserved_bytes);
  instance.release(made.storage);
  CHECK(instance.statistics(0).live_count == 0);
  CHECK(instance.statistics(0).live_bytes == 0);
  CHECK(instance.statistics(0).release_calls == 0);
  CHECK(instance.statistics(0).peak_bytes == 1000);
  CHECK(instance.statistics(0).reserved_bytes == pool.statistics().capacity_bytes);
  CHECK(instance.statistics(0).reserved_bytes >= 1000);
}

TEST_CASE("cpu pool: the peak is the highest sum of what lived at one time, pooled or not") {
  const OpenInstance instance(cpu());
  const TestPool first(instance, 0), second(instance, 0);
  instance.release(first.acquire(3000).storage);
  const auto pooled = second.acquire(1000);
  const auto unpooled = instance.create(0, 1500);
  CHECK(instance.statistics(0).live_count == 2);
  CHECK(instance.statistics(0).live_bytes == 2500);
  CHECK(instance.statistics(0).peak_bytes == 3000);
  const auto large = first.acquire(std::uint64_t{1} << 20);
  instance.release(large.storage);
  instance.release(unpooled.storage);
  instance.release(pooled.storage);
  CHECK(instance.statistics(0).live_bytes == 0);
  CHECK(instance.statistics(0).peak_bytes == (std::uint64_t{1} << 20) + 2500);
}

TEST_CASE("cpu pool: a block outlives its pool and stays in the domain's statistics") {
  const OpenInstance instance(cpu());
  std::optional<TestPool> pool(std::in_place, instance, 0);
  const auto made = pool->acquire(1000);
  pool.reset();
  std::memset(made.address, 1, 1000);
  CHECK(instance.statistics(0).live_count == 1);
  CHECK(instance.statistics(0).live_bytes == 1000);
  CHECK(instance.statistics(0).reserved_bytes >= 1000);
  instance.release(made.storage);
  CHECK(instance.statistics(0).live_count == 0);
  CHECK(instance.statistics(0).reserved_bytes == 0);
}

TEST_CASE("cpu pool: a detached block stays in the domain's statistics until it is released or given back") {
  const OpenInstance instance(cpu());
  const TestPool pool(instance, 0), other(instance, 0);
  const auto extracted = pool.acquire(1000);
  pool.api().detach(instance.handle(), extracted.storage);
  CHECK(pool.statistics().detached == 1);
  CHECK(instance.statistics(0).live_bytes == 1000);
  CallStatus status;
  CHECK_REFUSED(TENURE_INVALID_ARGUMENT, "not made by this pool", status,
                other.give_back(extracted.storage, status));
  CHECK(instance.statistics(0).live_count == 1);
  REQUIRE_OK(status, pool.give_back(extracted.storage, status));
  CHECK(instance.statistics(0).live_count == 0);
  const auto again = pool.acquire(1000);
  CHECK(again.address == extracted.address);
  pool.api().detach(instance.handle(), again.storage);
  instance.release(again.storage);
  CHECK(pool.statistics().buffers == 0);
  CHECK(instance.statistics(0).reserved_bytes == 0);
}

TEST_CASE("cpu pool: trim of the domain reaches all its pools") {
  const OpenInstance instance(cpu());
  const TestPool first(instance, 0), second(instance, 0);
  for (const TestPool* pool : {&first, &second}) instance.release(pool->acquire(4096).storage);
  CHECK(instance.api().trim(instance.handle(), 0, 0) == 8192);
  CHECK(instance.statistics(0).reserved_bytes == 0);
  CHECK(instance.api().trim(instance.handle(), 7, 0) == 0);
}

TEST_CASE("cpu pool: the default cap on idle memory is a quarter of the machine") {
  // What goes beyond it is reserved here and never touched, which a sanitizer does not leave at that.
  if (tenure::sdk::pool::is_address_sanitized) return;
  const OpenInstance instance(cpu());
  const TestPool pool(instance, 0);
  const std::uint64_t quarter = tenure::sdk::pool::HostUpstream::memory_bytes() / 4;
  const auto large = pool.acquire(quarter + 1);
  instance.release(large.storage);
  CHECK(pool.statistics().capacity_bytes == 0);
  const auto half = pool.acquire(quarter / 2);
  instance.release(half.storage);
  CHECK(pool.statistics().capacity_bytes >= quarter / 2);
}

TEST_CASE("cpu pool: the option pool_retained_bytes caps the idle memory of every pool that does not say") {
  const OpenInstance instance(cpu(), {{"pool_retained_bytes", "16384"}});
  const TestPool pool(instance, 0), generous(instance, 0, TENURE_POOL_COUNT, 1 << 20);
  for (const TestPool* user : {&pool, &generous}) {
    const auto small = user->acquire(16384);
    const auto large = user->acquire(20480);
    instance.release(large.storage);
    instance.release(small.storage);
  }
  CHECK(pool.statistics().capacity_bytes == 16384);
  CHECK(generous.statistics().capacity_bytes == 16384 + 20480);
}

TEST_CASE("cpu pool: every mode of the option pool_mode opens pools that work") {
  for (const char* const mode : {"count", "poison", "guard", "bypass"}) {
    CAPTURE(mode);
    const OpenInstance instance(cpu(), {{"pool_mode", mode}});
    const TestPool pool(instance, 0, std::nullopt);
    for (int round = 0; round < 3; ++round) {
      const auto made = pool.acquire(100);
      std::memset(made.address, 7, 100);
      instance.release(made.storage);
    }
    CHECK((pool.statistics().hits == 0) == (mode == std::string("bypass")));
    CHECK(instance.statistics(0).live_bytes == 0);
  }
}

TEST_CASE("cpu pool: blocks that threads hand to each other leave exact statistics behind") {
  const OpenInstance instance(cpu());
  const TestPool pool(instance, 0);
  constexpr int rounds = 2000;
  constexpr std::uint64_t kept_bytes = 12345;
  std::vector<tenure_storage*> handed(rounds);
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        for (int i = t; i < rounds; i += 4) {
          instance.release(pool.acquire(static_cast<std::uint64_t>(i % 97) * 1000 + 1).storage);
          handed[static_cast<std::size_t>(i)] = pool.acquire(kept_bytes).storage;
        }
      });
    }
  }
  CHECK(instance.statistics(0).live_count == rounds);
  CHECK(instance.statistics(0).live_bytes == rounds * kept_bytes);
  CHECK(instance.statistics(0).peak_bytes >= rounds * kept_bytes);
  for (tenure_storage* const storage : handed) instance.release(storage);
  CHECK(instance.statistics(0).live_count == 0);
  CHECK(instance.statistics(0).live_bytes == 0);
}
