// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>

#include "providers/fake_shared.hpp"

using namespace tenure_test;

namespace {

std::int32_t try_map(const OpenInstance& instance, tenure_storage* storage, std::uint32_t access,
                     CallStatus& status) {
  auto mapping = tenure::abi::make_struct<tenure_mapping>();
  const std::int32_t code =
      instance.api().storage_map(instance.handle(), storage, access, &mapping, status.get());
  if (code != TENURE_OK) CHECK(mapping.address == nullptr);
  return code;
}

}  // namespace

TEST_CASE("fake_shared map: read maps nest and a write map excludes every other") {
  const OpenInstance instance(fake_shared());
  for (const auto name : {managed, noncoherent}) {
    CAPTURE(name);
    const auto made = instance.create(instance.domain(name), 64);
    CallStatus status;
    const auto first = instance.map(made.storage, host_read);
    const auto second = instance.map(made.storage, host_read);
    CHECK(first.address == second.address);
    CHECK_REFUSED(TENURE_FAILED_PRECONDITION, "2 read maps are alive", status,
                  try_map(instance, made.storage, host_write, status));
    CHECK(status.flags() == TENURE_STATUS_RETRYABLE);
    CHECK_REFUSED(TENURE_FAILED_PRECONDITION, "2 read maps are alive", status,
                  try_map(instance, made.storage, host_read | host_write, status));
    instance.unmap(made.storage, host_read);
    CHECK_REFUSED(TENURE_FAILED_PRECONDITION, "1 read maps are alive", status,
                  try_map(instance, made.storage, host_write, status));
    instance.unmap(made.storage, host_read);

    instance.map(made.storage, host_read | host_write);
    CHECK_REFUSED(TENURE_FAILED_PRECONDITION, "a write map is alive", status,
                  try_map(instance, made.storage, host_read, status));
    CHECK_REFUSED(TENURE_FAILED_PRECONDITION, "a write map is alive", status,
                  try_map(instance, made.storage, host_write, status));
    instance.unmap(made.storage, host_read | host_write);
    instance.map(made.storage, host_read);
    instance.unmap(made.storage, host_read);
    instance.release(made.storage);
  }
}

TEST_CASE("fake_shared map: maps of different storages do not exclude each other") {
  const OpenInstance instance(fake_shared());
  const auto first = instance.create(1, 64);
  const auto second = instance.create(1, 64);
  instance.map(first.storage, host_write);
  instance.map(second.storage, host_write);
  instance.unmap(first.storage, host_write);
  instance.unmap(second.storage, host_write);
  instance.release(first.storage);
  instance.release(second.storage);
}

TEST_CASE("fake_shared map: coherent memory is mapped where it lies") {
  const OpenInstance instance(fake_shared());
  const auto made = instance.create(instance.domain(managed), 64);
  const auto mapping = instance.map(made.storage, host_read | host_write);
  CHECK(mapping.address == made.address);
  CHECK(mapping.bytes >= 64);
  instance.unmap(made.storage, host_read | host_write);
  instance.release(made.storage);
}

TEST_CASE("fake_shared map: memory that is not coherent keeps what a write map left, and aligned") {
  const OpenInstance instance(fake_shared());
  const auto made = instance.create(instance.domain(noncoherent), 4, 4096, TENURE_STORAGE_ZERO);
  const auto written = instance.map(made.storage, host_write);
  CHECK(reinterpret_cast<std::uintptr_t>(written.address) % 4096 == 0);
  std::memcpy(written.address, "abc", 4);
  instance.unmap(made.storage, host_write);
  const auto seen = instance.map(made.storage, host_read);
  CHECK(std::memcmp(seen.address, "abc", 4) == 0);
  instance.unmap(made.storage, host_read);
  instance.release(made.storage);
}

TEST_CASE("fake_shared map: a map sees what was copied to the memory since the last one") {
  const OpenInstance instance(fake_shared());
  const auto made = instance.create(instance.domain(noncoherent), 4, 0, TENURE_STORAGE_ZERO);
  CallStatus status;
  const auto before = instance.map(made.storage, host_read);
  CHECK(std::memcmp(before.address, "\0\0\0", 4) == 0);
  instance.unmap(made.storage, host_read);
  char text[4] = "new";
  REQUIRE_OK(status, instance.copy_bytes(place_of(text), place_of(made.storage), 4, status));
  const auto after = instance.map(made.storage, host_read);
  CHECK(std::memcmp(after.address, "new", 4) == 0);
  instance.unmap(made.storage, host_read);
  instance.release(made.storage);
}

TEST_CASE("fake_shared map: what a read map changed is not stored") {
  const OpenInstance instance(fake_shared());
  const auto made = instance.create(instance.domain(noncoherent), 4, 0, TENURE_STORAGE_ZERO);
  std::memcpy(instance.map(made.storage, host_read).address, "bad", 4);
  instance.unmap(made.storage, host_read);
  CHECK(std::memcmp(instance.map(made.storage, host_read).address, "\0\0\0", 4) == 0);
  instance.unmap(made.storage, host_read);
  instance.release(made.storage);
}

TEST_CASE("fake_shared map: mapping copies nothing that anybody asked to count") {
  OpenInstance instance(fake_shared());
  const auto made = instance.create(instance.domain(noncoherent), 4096);
  const std::uint64_t noted_bytes = instance.host().noted_bytes();
  instance.map(made.storage, host_read | host_write);
  instance.unmap(made.storage, host_read | host_write);
  CHECK(instance.host().noted_bytes() == noted_bytes);
  instance.release(made.storage);
}

TEST_CASE("fake_shared map: device memory is refused in words") {
  const OpenInstance instance(fake_shared());
  const auto made = instance.create(instance.domain(device), 64);
  for (const std::uint32_t access : {host_read, host_write, host_read | host_write}) {
    CallStatus status;
    CHECK_REFUSED(TENURE_FAILED_PRECONDITION, "fake:0/device is device memory", status,
                  try_map(instance, made.storage, access, status));
    CHECK(status.says("copy it to a host domain first"));
  }
  instance.release(made.storage);
}

TEST_CASE("fake_shared map: access that is none is refused") {
  const OpenInstance instance(fake_shared());
  const auto made = instance.create(0, 64);
  for (const std::uint32_t access : {0U, TENURE_ACCESS_DEVICE, host_read | TENURE_ACCESS_COHERENT}) {
    CallStatus status;
    CHECK(try_map(instance, made.storage, access, status) == TENURE_INVALID_ARGUMENT);
  }
  instance.release(made.storage);
}

TEST_CASE("fake_shared map: an unmap without its map is logged and changes nothing") {
  OpenInstance instance(fake_shared());
  const auto made = instance.create(1, 64);
  instance.map(made.storage, host_read);
  REQUIRE_FALSE(was_logged(instance.host(), "storage_unmap"));
  instance.unmap(made.storage, host_write);
  CHECK(was_logged(instance.host(), "storage_unmap: no map with this access is alive"));
  CallStatus status;
  CHECK(try_map(instance, made.storage, host_write, status) == TENURE_FAILED_PRECONDITION);
  instance.unmap(made.storage, host_read);
  instance.release(made.storage);
}

TEST_CASE("fake_shared map: a storage that is released while mapped is logged") {
  OpenInstance instance(fake_shared());
  const auto made = instance.create(1, 64);
  instance.map(made.storage, host_write);
  REQUIRE_FALSE(was_logged(instance.host(), "storage_release"));
  instance.release(made.storage);
  CHECK(was_logged(instance.host(), "storage_release: a storage was released while it was mapped"));
}
