// SPDX-License-Identifier: Apache-2.0
// The memory layer over the fake_shared provider as a user loads it: maps, their exclusion, imports.
#include <doctest/doctest.h>

#include <array>

#include "memory/allocation_record.hpp"
#include "support/caught.hpp"
#include "tenure/abi/struct_head.hpp"
#include "tenure/base/access_error.hpp"
#include "tenure/base/provider_error.hpp"
#include "tenure/base/validation_error.hpp"
#include "tenure/loader/registry.hpp"
#include "tenure/memory/allocation_domain.hpp"
#include "tenure/memory/ledger.hpp"
#include "tenure/memory/storage_map.hpp"

using namespace tenure;
using tenure_test::caught;
using tenure_test::contains;

namespace {

Instance open_fake() {
  return Registry().load(TENURE_TEST_FAKE_PROVIDER, {.policy = PathPolicy::off, .alias = {}}).open();
}

StorageMap map(const Storage& storage, MapAccess access) {
  return StorageMap("test", storage.address(), storage.record(), access);
}

// A use of a storage that the core did not ask for, as by a device.
class DeviceUse {
 public:
  DeviceUse(const Storage& storage, std::uint32_t access) : record_(*storage.record()), access_(access) {
    auto mapping = abi::make_struct<tenure_mapping>();
    REQUIRE(record_.api().storage_map(record_.instance(), record_.handle, access, &mapping, nullptr) ==
            TENURE_OK);
  }
  DeviceUse(const DeviceUse&) = delete;
  DeviceUse& operator=(const DeviceUse&) = delete;
  ~DeviceUse() { record_.api().storage_unmap(record_.instance(), record_.handle, access_); }

 private:
  const AllocationRecord& record_;
  std::uint32_t access_;
};

void ignore(void*) noexcept {}

}  // namespace

TEST_CASE(
    "fake_shared memory: coherent memory has an address, other memory a window for as long as its maps") {
  const Instance instance = open_fake();
  const LedgerScope scope;
  const Storage coherent = instance.domain("fake:0/managed").allocate(64);
  CHECK(map(coherent, MapAccess::write).address() == coherent.address());
  CHECK(scope.mappings() == 0);

  const Storage window = instance.domain("fake:0/managed-noncoherent").allocate(64);
  CHECK(window.address() == nullptr);
  {
    const StorageMap writing = map(window, MapAccess::write);
    writing.address()[63] = std::byte{42};
  }
  const StorageMap first = map(window, MapAccess::read);
  const StorageMap second = map(window, MapAccess::read);
  CHECK(first.address() == second.address());
  CHECK(first.address()[63] == std::byte{42});
  CHECK(scope.mappings() == 3);
  CHECK(scope.bytes_copied() == 0);
}

TEST_CASE(
    "fake_shared memory: a map that meets work of the device is in use, and goes when the work has ended") {
  const Instance instance = open_fake();
  const Storage storage = instance.domain("fake:0/managed-noncoherent").allocate(64);
  {
    const DeviceUse writing(storage, TENURE_ACCESS_HOST_WRITE);
    for (const MapAccess access : {MapAccess::read, MapAccess::write}) {
      const auto error = caught<AccessError>([&] { return map(storage, access); });
      CHECK(error.kind() == AccessError::Kind::in_use);
      CHECK(contains(error.what(), "fake:0/managed-noncoherent"));
      REQUIRE(error.cause() != nullptr);
      CHECK(contains(error.cause()->what(), "a write map is alive"));
      CHECK(storage.record()->maps.count() == 0);
    }
  }
  {
    const DeviceUse reading(storage, TENURE_ACCESS_HOST_READ);
    CHECK(map(storage, MapAccess::read).address() != nullptr);
    CHECK(caught<AccessError>([&] { return map(storage, MapAccess::write); }).kind() ==
          AccessError::Kind::in_use);
  }
  CHECK(map(storage, MapAccess::write).address() != nullptr);
}

TEST_CASE("fake_shared memory: the core's own maps exclude each other before the provider is asked") {
  const Instance instance = open_fake();
  for (const char* name : {"fake:0/managed", "fake:0/managed-noncoherent"}) {
    const Storage storage = instance.domain(name).allocate(64);
    const LedgerScope scope;
    const StorageMap reading = map(storage, MapAccess::read);
    const std::uint64_t mappings = scope.mappings();
    CHECK(caught<AccessError>([&] { return map(storage, MapAccess::write); }).kind() ==
          AccessError::Kind::mapped);
    CHECK(scope.mappings() == mappings);
  }
}

TEST_CASE("fake_shared memory: imports are the user's memory, coherent or through a window") {
  const Instance instance = open_fake();
  alignas(64) std::array<std::byte, 128> bytes{};
  {
    const Storage coherent =
        instance.domain("fake:0/managed").import_memory(DataPtr({bytes.data(), nullptr, ignore}), 128);
    CHECK(coherent.address() == bytes.data());
    CHECK(caught<AccessError>([&] {
            return instance.domain("fake:0/managed-noncoherent")
                .import_memory(DataPtr({.data = bytes.data() + 127}), 1);
          }).kind() == AccessError::Kind::imported);
  }
  const Storage window =
      instance.domain("fake:0/managed-noncoherent").import_memory(DataPtr({.data = bytes.data()}), 128);
  { map(window, MapAccess::write).address()[0] = std::byte{5}; }
  CHECK(bytes[0] == std::byte{5});
  std::byte other{};
  CHECK(contains(caught<ProviderError>([&] {
                   return instance.domain("fake:0/device").import_memory(DataPtr({.data = &other}), 1);
                 }).what(),
                 "takes over no host memory"));
}

TEST_CASE("cpu memory: a provider that imports nothing is an error that names what would do") {
  const Instance instance =
      Registry().load(TENURE_TEST_CPU_PROVIDER, {.policy = PathPolicy::off, .alias = {}}).open();
  std::byte byte{};
  const auto error = caught<ProviderError>(
      [&] { return instance.default_domain().import_memory(DataPtr({.data = &byte}), 1); });
  CHECK(error.status_code() == TENURE_UNIMPLEMENTED);
}
