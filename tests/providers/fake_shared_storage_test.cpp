// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "providers/fake_shared.hpp"

using namespace tenure_test;

namespace {

std::uint64_t bits_of(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

// Memory of a test's that counts how often it was given back.
struct UserMemory {
  alignas(64) std::byte bytes[256] = {};
  int releases = 0;

  tenure_import_desc desc() {
    auto desc = tenure::abi::make_struct<tenure_import_desc>();
    desc.address = bytes;
    desc.bytes = sizeof bytes;
    desc.context = this;
    desc.release = [](void* context) noexcept { ++static_cast<UserMemory*>(context)->releases; };
    return desc;
  }
};

}  // namespace

TEST_CASE("fake_shared storage: an allocation id is never given twice, in whichever domain") {
  const OpenInstance instance(fake_shared());
  std::set<std::uint64_t> ids;
  for (int round = 0; round < 50; ++round) {
    for (std::uint64_t domain = 0; domain < 3; ++domain) {
      const auto made = instance.create(domain, 128);
      CHECK(made.allocation_id != 0);
      CHECK(ids.insert(made.allocation_id).second);
      instance.release(made.storage);
    }
  }
}

TEST_CASE("fake_shared storage: only the coherent domain reports an address") {
  const OpenInstance instance(fake_shared());
  for (const auto name : fake_domain_names) {
    CAPTURE(name);
    const auto made = instance.create(instance.domain(name), 100);
    CHECK((made.address != nullptr) == (name == managed));
    CHECK(made.bytes >= 100);
    auto again = tenure::abi::make_struct<tenure_storage_info>();
    CallStatus status;
    REQUIRE_OK(status, instance.api().storage_info(instance.handle(), made.storage, &again, status.get()));
    CHECK(again.storage == made.storage);
    CHECK(again.address == made.address);
    CHECK(again.bytes == made.bytes);
    CHECK(again.alignment_bytes == made.alignment_bytes);
    CHECK(again.allocation_id == made.allocation_id);
    instance.release(made.storage);
  }
}

TEST_CASE("fake_shared storage: alignment is kept and never below the domain's minimum") {
  const OpenInstance instance(fake_shared());
  for (const std::uint64_t alignment_bytes : {0U, 1U, 8U, 64U, 256U, 4096U, 65536U}) {
    CAPTURE(alignment_bytes);
    const auto made = instance.create(instance.domain(managed), 10, alignment_bytes);
    const std::uint64_t wanted = std::max<std::uint64_t>(alignment_bytes, 64);
    CHECK(made.alignment_bytes >= wanted);
    CHECK(bits_of(made.address) % wanted == 0);
    instance.release(made.storage);
  }
}

TEST_CASE("fake_shared storage: zero bytes are legal, and the zero flag fills with zeros") {
  const OpenInstance instance(fake_shared());
  const auto empty = instance.create(0, 0);
  CHECK(empty.storage != nullptr);
  instance.release(empty.storage);

  const auto zeroed = instance.create(0, 1001, 0, TENURE_STORAGE_ZERO);
  const auto* const bytes = static_cast<const unsigned char*>(zeroed.address);
  CHECK(std::all_of(bytes, bytes + 1001, [](unsigned char byte) { return byte == 0; }));
  instance.release(zeroed.storage);
}

TEST_CASE("fake_shared storage: fresh memory is not zero, so that nobody relies on it") {
  const OpenInstance instance(fake_shared());
  const auto made = instance.create(0, 1000);
  const auto* const bytes = static_cast<const unsigned char*>(made.address);
  CHECK(std::none_of(bytes, bytes + 1000, [](unsigned char byte) { return byte == 0; }));
  instance.release(made.storage);
}

TEST_CASE("fake_shared storage: a full domain refuses in words and works on after a release") {
  const OpenInstance instance(fake_shared(), {{"memory_bytes", "65536"}});
  for (std::uint64_t domain = 0; domain < 3; ++domain) {
    const auto most = instance.create(domain, 60000);
    auto desc = tenure::abi::make_struct<tenure_storage_desc>();
    desc.bytes = 5537;
    auto info = tenure::abi::make_struct<tenure_storage_info>();
    CallStatus status;
    CHECK_REFUSED(TENURE_RESOURCE_EXHAUSTED, "60000 of its 65536 are reserved", status,
                  instance.api().storage_create(instance.handle(), domain, &desc, &info, status.get()));
    CHECK(info.storage == nullptr);
    CHECK(instance.statistics(domain).failed_calls == 1);
    instance.release(instance.create(domain, 5536).storage);
    instance.release(most.storage);
    instance.release(instance.create(domain, 65536).storage);
  }
}

TEST_CASE("fake_shared storage: a request that is never right is counted as failed") {
  const OpenInstance instance(fake_shared());
  auto desc = tenure::abi::make_struct<tenure_storage_desc>();
  desc.bytes = 64;
  desc.alignment_bytes = 48;
  auto info = tenure::abi::make_struct<tenure_storage_info>();
  CallStatus status;
  CHECK_REFUSED(TENURE_INVALID_ARGUMENT, "power of two", status,
                instance.api().storage_create(instance.handle(), 1, &desc, &info, status.get()));
  CHECK(instance.statistics(1).failed_calls == 1);
  CHECK(instance.statistics(1).create_calls == 0);
}

TEST_CASE("fake_shared storage: statistics return to the baseline and the peak never falls") {
  const OpenInstance instance(fake_shared());
  const auto first = instance.create(2, 1000);
  const auto second = instance.create(2, 500);
  auto statistics = instance.statistics(2);
  CHECK(statistics.live_count == 2);
  CHECK(statistics.live_bytes == 1500);
  CHECK(statistics.reserved_bytes == 1500);
  instance.release(first.storage);
  instance.release(second.storage);
  statistics = instance.statistics(2);
  CHECK(statistics.live_count == 0);
  CHECK(statistics.live_bytes == 0);
  CHECK(statistics.reserved_bytes == 0);
  CHECK(statistics.peak_bytes == 1500);
  CHECK(statistics.create_calls == 2);
  CHECK(statistics.release_calls == 2);
  CHECK(instance.statistics(0).create_calls == 0);
}

TEST_CASE("fake_shared import: the user's memory is the storage and is given back exactly once") {
  const OpenInstance instance(fake_shared());
  for (const auto name : {managed, noncoherent}) {
    CAPTURE(name);
    UserMemory memory;
    tenure_storage_info info;
    CallStatus status;
    REQUIRE_OK(status, instance.import_memory(instance.domain(name), memory.desc(), info, status));
    CHECK(info.bytes == sizeof memory.bytes);
    CHECK(info.allocation_id != 0);
    CHECK(bits_of(memory.bytes) % info.alignment_bytes == 0);
    if (name == managed) CHECK(info.address == memory.bytes);

    const auto mapping = instance.map(info.storage, host_read | host_write);
    static_cast<std::byte*>(mapping.address)[7] = std::byte{42};
    instance.unmap(info.storage, host_read | host_write);
    CHECK(memory.bytes[7] == std::byte{42});

    CHECK(instance.statistics(instance.domain(name)).live_bytes == sizeof memory.bytes);
    CHECK(instance.statistics(instance.domain(name)).reserved_bytes == 0);
    CHECK(memory.releases == 0);
    instance.release(info.storage);
    CHECK(memory.releases == 1);
  }
}

TEST_CASE("fake_shared import: memory of any alignment can be mapped") {
  const OpenInstance instance(fake_shared());
  UserMemory memory;
  auto desc = memory.desc();
  desc.address = memory.bytes + 1;
  desc.bytes = 10;
  for (const auto name : {managed, noncoherent}) {
    tenure_storage_info info;
    CallStatus status;
    REQUIRE_OK(status, instance.import_memory(instance.domain(name), desc, info, status));
    CHECK(info.alignment_bytes == 1);
    CHECK(instance.map(info.storage, host_read).address != nullptr);
    instance.unmap(info.storage, host_read);
    instance.release(info.storage);
  }
  CHECK(memory.releases == 2);
}

TEST_CASE("fake_shared import: memory that is refused stays the user's") {
  const OpenInstance instance(fake_shared());
  UserMemory memory;
  tenure_storage_info info;
  CallStatus status;
  CHECK_REFUSED(TENURE_FAILED_PRECONDITION, "fake:0/device takes over no host memory", status,
                instance.import_memory(instance.domain(device), memory.desc(), info, status));
  auto nowhere = memory.desc();
  nowhere.address = nullptr;
  CHECK_REFUSED(TENURE_INVALID_ARGUMENT, "null", status, instance.import_memory(0, nowhere, info, status));
  nowhere.bytes = 0;
  CHECK_REFUSED(TENURE_INVALID_ARGUMENT, "null", status, instance.import_memory(0, nowhere, info, status));
  CHECK(memory.releases == 0);
  CHECK(instance.statistics(instance.domain(device)).failed_calls == 1);
}

TEST_CASE("fake_shared import: memory without a release function is simply forgotten") {
  const OpenInstance instance(fake_shared());
  UserMemory memory;
  auto desc = memory.desc();
  desc.release = nullptr;
  tenure_storage_info info;
  CallStatus status;
  REQUIRE_OK(status, instance.import_memory(0, desc, info, status));
  instance.release(info.storage);
  CHECK(memory.releases == 0);
}
