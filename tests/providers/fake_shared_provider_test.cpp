// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <string>

#include "providers/fake_shared.hpp"
#include "tenure/provider_engine.h"
#include "tenure/provider_fault.h"
#include "tenure/provider_pool.h"

using namespace tenure_test;

TEST_CASE("fake_shared: the provider names itself and is available everywhere") {
  const tenure_provider& table = fake_shared().table();
  CHECK(text_of(table.id) == "org.tenure.fake-shared");
  auto answer = tenure::abi::make_struct<tenure_availability>();
  CallStatus status;
  REQUIRE_OK(status, table.availability(fake_shared().host().table(), &answer, status.get()));
  CHECK(answer.code == TENURE_OK);
}

TEST_CASE("fake_shared: the domains say what the host and the device may do") {
  const OpenInstance instance(fake_shared());
  REQUIRE(instance.api().domain_count(instance.handle()) == 3);

  const auto shared = instance.domain_info(instance.domain(managed));
  CHECK(shared.memory == TENURE_MEMORY_MANAGED);
  CHECK(shared.access ==
        (TENURE_ACCESS_HOST_READ | TENURE_ACCESS_HOST_WRITE | TENURE_ACCESS_DEVICE | TENURE_ACCESS_COHERENT));
  const auto mapped = instance.domain_info(instance.domain(noncoherent));
  CHECK(mapped.memory == TENURE_MEMORY_MANAGED);
  CHECK(mapped.access == (TENURE_ACCESS_HOST_READ | TENURE_ACCESS_HOST_WRITE));
  const auto far = instance.domain_info(instance.domain(device));
  CHECK(far.memory == TENURE_MEMORY_DEVICE);
  CHECK(far.access == TENURE_ACCESS_DEVICE);
}

TEST_CASE("fake_shared: there is one device, and its outputs go to the coherent domain") {
  const OpenInstance instance(fake_shared());
  REQUIRE(instance.api().device_count(instance.handle()) == 1);
  auto info = tenure::abi::make_struct<tenure_device_info>();
  CallStatus status;
  REQUIRE_OK(status, instance.api().device_info(instance.handle(), 0, &info, status.get()));
  CHECK(text_of(info.name) == "fake:0");
  CHECK(info.default_domain == instance.domain(managed));
}

TEST_CASE("fake_shared: it offers pools and faults and nothing that it does not have") {
  const OpenInstance instance(fake_shared());
  CHECK(instance.extension<tenure_pool_api>(TENURE_EXT_POOL) != nullptr);
  CHECK(instance.extension<tenure_fault_api>(TENURE_EXT_FAULT) != nullptr);
  CHECK(instance.extension<tenure_engine_api>(TENURE_EXT_ENGINE) == nullptr);
  CHECK(instance.extension<void>("tenure.ext.stream/1") == nullptr);
  CHECK(instance.extension<void>("tenure.ext.pool/10") == nullptr);
}

TEST_CASE("fake_shared: memory_bytes is the size of every domain") {
  const OpenInstance instance(fake_shared(), {{"memory_bytes", "65536"}});
  for (const auto name : fake_domain_names) {
    const auto info = instance.domain_info(instance.domain(name));
    CHECK(info.total_bytes == 65536);
    CHECK(info.quota_bytes == 65536);
    CHECK(info.storage_bytes_max == 65536);
  }
}

TEST_CASE("fake_shared: an option that is unknown or out of range is refused and named") {
  tenure_instance* instance = nullptr;
  CallStatus status;
  CHECK_REFUSED(TENURE_INVALID_ARGUMENT, "\"memory_byte\"", status,
                open(fake_shared(), {{"memory_byte", "65536"}}, &instance, status));
  for (const char* value : {"0", "4095", "-1", "1099511627777", "many", ""}) {
    CAPTURE(value);
    CHECK_REFUSED(TENURE_INVALID_ARGUMENT, "\"memory_bytes\"", status,
                  open(fake_shared(), {{"memory_bytes", value}}, &instance, status));
  }
  CHECK(instance == nullptr);
}

TEST_CASE("fake_shared: two instances share nothing") {
  const OpenInstance first(fake_shared(), {{"memory_bytes", "4096"}});
  const OpenInstance second(fake_shared(), {{"memory_bytes", "4096"}});
  const auto full = first.create(0, 4096);
  const auto other = second.create(0, 4096);
  CHECK(first.statistics(0).live_count == 1);
  CHECK(second.statistics(0).create_calls == 1);
  first.release(full.storage);
  second.release(other.storage);
}
