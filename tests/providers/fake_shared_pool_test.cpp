// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <set>

#include "providers/fake_shared.hpp"
#include "providers/test_pool.hpp"

using namespace tenure_test;

TEST_CASE("fake_shared pool: recycled memory has a new allocation id each time") {
  const OpenInstance instance(fake_shared());
  for (std::uint64_t domain = 0; domain < 3; ++domain) {
    CAPTURE(domain);
    const TestPool pool(instance, domain);
    const auto unpooled = instance.create(domain, 64);
    std::set<std::uint64_t> ids{unpooled.allocation_id};
    instance.release(unpooled.storage);
    for (int round = 0; round < 20; ++round) {
      const auto made = pool.acquire(5000);
      CHECK(made.bytes >= 5000);
      CHECK(ids.insert(made.allocation_id).second);
      instance.release(made.storage);
    }
    CHECK(pool.statistics().misses == 1);
    CHECK(pool.statistics().hits == 19);
  }
}

TEST_CASE("fake_shared pool: a block is an ordinary storage of its domain") {
  const OpenInstance instance(fake_shared());
  for (const auto name : fake_domain_names) {
    CAPTURE(name);
    const TestPool pool(instance, instance.domain(name));
    const auto made = pool.acquire(1000, 256);
    CHECK((made.address != nullptr) == (name == managed));
    CHECK(made.alignment_bytes >= 256);
    char text[4] = "abc";
    char back[4] = {};
    CallStatus status;
    REQUIRE_OK(status, instance.copy_bytes(place_of(text), place_of(made.storage), 4, status));
    REQUIRE_OK(status, instance.copy_bytes(place_of(made.storage), place_of(back), 4, status));
    CHECK(std::strcmp(back, "abc") == 0);
    instance.release(made.storage);
  }
}

TEST_CASE("fake_shared pool: the domain counts what a pool hands out, keeps and gives back") {
  const OpenInstance instance(fake_shared());
  const TestPool pool(instance, 0);
  const auto made = pool.acquire(1000);
  CHECK(instance.statistics(0).live_count == 1);
  CHECK(instance.statistics(0).live_bytes == 1000);
  CHECK(instance.statistics(0).create_calls == 0);
  CHECK(instance.statistics(0).reserved_bytes == pool.statistics().reserved_bytes);
  instance.release(made.storage);
  CHECK(instance.statistics(0).live_count == 0);
  CHECK(instance.statistics(0).release_calls == 0);
  CHECK(instance.statistics(0).peak_bytes == 1000);
  CHECK(instance.statistics(0).reserved_bytes == pool.statistics().capacity_bytes);
  CHECK(instance.statistics(0).reserved_bytes >= 1000);
  CHECK(pool.statistics().buffers == 1);
}

TEST_CASE("fake_shared pool: trim of the domain reaches its pools and no other domain's") {
  const OpenInstance instance(fake_shared());
  const TestPool first(instance, 0), second(instance, 0), elsewhere(instance, 1);
  for (const TestPool* pool : {&first, &second, &elsewhere}) instance.release(pool->acquire(4096).storage);
  CHECK(instance.api().trim(instance.handle(), 0, 0) == 8192);
  CHECK(instance.statistics(0).reserved_bytes == 0);
  CHECK(instance.statistics(1).reserved_bytes == 4096);
  CHECK(instance.api().trim(instance.handle(), 7, 0) == 0);
}

TEST_CASE("fake_shared pool: a block outlives its pool") {
  const OpenInstance instance(fake_shared());
  std::optional<TestPool> pool(std::in_place, instance, 0);
  const auto made = pool->acquire(1000);
  pool.reset();
  std::memset(made.address, 1, 1000);
  instance.release(made.storage);
  CHECK(instance.statistics(0).reserved_bytes == 0);
}

TEST_CASE("fake_shared pool: a detached block is freed when it is released, or given back to its pool") {
  const OpenInstance instance(fake_shared());
  const TestPool pool(instance, 0), other(instance, 0);
  const auto extracted = pool.acquire(1000);
  pool.api().detach(instance.handle(), extracted.storage);
  CHECK(pool.statistics().detached == 1);
  CallStatus status;
  CHECK_REFUSED(TENURE_INVALID_ARGUMENT, "not made by this pool", status,
                other.give_back(extracted.storage, status));
  CHECK(instance.statistics(0).live_count == 1);
  REQUIRE_OK(status, pool.give_back(extracted.storage, status));
  CHECK(instance.statistics(0).live_count == 0);
  const auto again = pool.acquire(1000);
  CHECK(again.address == extracted.address);
  CHECK(again.allocation_id != extracted.allocation_id);
  pool.api().detach(instance.handle(), again.storage);
  instance.release(again.storage);
  CHECK(pool.statistics().buffers == 0);
  CHECK(instance.statistics(0).reserved_bytes == 0);
}

TEST_CASE("fake_shared pool: a block that is mapped cannot be given back") {
  const OpenInstance instance(fake_shared());
  const TestPool pool(instance, 1);
  const auto made = pool.acquire(64);
  instance.map(made.storage, host_read);
  CallStatus status;
  CHECK_REFUSED(TENURE_FAILED_PRECONDITION, "read maps are alive", status,
                pool.give_back(made.storage, status));
  instance.unmap(made.storage, host_read);
  REQUIRE_OK(status, pool.give_back(made.storage, status));
}

TEST_CASE("fake_shared pool: storage that no pool made may be detached but not given back") {
  const OpenInstance instance(fake_shared());
  const TestPool pool(instance, 0);
  const auto made = instance.create(0, 64);
  pool.api().detach(instance.handle(), made.storage);
  CallStatus status;
  CHECK_REFUSED(TENURE_INVALID_ARGUMENT, "not made by this pool", status,
                pool.give_back(made.storage, status));
  instance.release(made.storage);
}

TEST_CASE(
    "fake_shared pool: a full domain is refused with the pool's figures, after idle blocks were freed") {
  const OpenInstance instance(fake_shared(), {{"memory_bytes", "65536"}});
  const TestPool pool(instance, 2, TENURE_POOL_COUNT, 65536);
  instance.release(pool.acquire(16384).storage);
  CHECK(pool.statistics().capacity_bytes == 16384);
  const auto made = pool.acquire(57344);
  CHECK(pool.statistics().evictions == 1);
  auto info = tenure::abi::make_struct<tenure_storage_info>();
  CallStatus status;
  CHECK_REFUSED(TENURE_RESOURCE_EXHAUSTED, "The pool: idle 0 blocks", status,
                pool.api().acquire(pool.handle(), 16384, 0, &info, status.get()));
  instance.release(made.storage);
}

TEST_CASE("fake_shared pool: the checked modes work in device memory too") {
  const OpenInstance instance(fake_shared());
  for (const std::uint32_t mode : {TENURE_POOL_POISON, TENURE_POOL_GUARD, TENURE_POOL_BYPASS}) {
    const TestPool pool(instance, instance.domain(device), mode);
    const auto made = pool.acquire(100);
    CHECK(made.bytes >= 100);
    instance.release(made.storage);
  }
}

TEST_CASE("fake_shared pool: the default cap on idle memory is a quarter of the domain") {
  const OpenInstance instance(fake_shared(), {{"memory_bytes", "65536"}});
  const TestPool pool(instance, 0);
  const auto small = pool.acquire(16384);
  const auto large = pool.acquire(20480);
  instance.release(large.storage);
  CHECK(pool.statistics().capacity_bytes == 0);
  instance.release(small.storage);
  CHECK(pool.statistics().capacity_bytes == 16384);
}
