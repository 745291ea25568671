// SPDX-License-Identifier: Apache-2.0
#include "tenure/memory/storage_map.hpp"

#include <doctest/doctest.h>

#include <optional>

#include "memory/allocation_record.hpp"
#include "support/caught.hpp"
#include "support/fake_provider.hpp"
#include "tenure/base/access_error.hpp"
#include "tenure/base/provider_error.hpp"
#include "tenure/memory/ledger.hpp"

using namespace tenure;
using tenure_test::caught;
using tenure_test::contains;
using tenure_test::FakeProvider;

namespace {

StorageMap map(const Storage& storage, MapAccess access) {
  return StorageMap("test", storage.address(), storage.record(), access);
}

AccessError::Kind refused(const Storage& storage, MapAccess access) {
  return caught<AccessError>([&] { return map(storage, access); }).kind();
}

}  // namespace

TEST_CASE("StorageMap: read maps nest and each of them asks the provider") {
  FakeProvider provider;
  const Storage storage = provider.domain(FakeProvider::managed).allocate(64);
  const LedgerScope scope;
  {
    const StorageMap first = map(storage, MapAccess::read);
    const StorageMap second = map(storage, MapAccess::read);
    CHECK(first.address() != nullptr);
    CHECK(storage.record()->maps.count() == 2);
    CHECK(provider.calls.map == 2);
  }
  CHECK(provider.calls.unmap == 2);
  CHECK(storage.record()->maps.count() == 0);
  CHECK(scope.mappings() == 2);
  CHECK(scope.bytes_copied() == 0);
}

TEST_CASE("StorageMap: a write map excludes all others and is excluded by them") {
  FakeProvider provider;
  const Storage storage = provider.domain(FakeProvider::managed).allocate(64);
  {
    const StorageMap writing = map(storage, MapAccess::write);
    CHECK(refused(storage, MapAccess::read) == AccessError::Kind::mapped);
    CHECK(refused(storage, MapAccess::write) == AccessError::Kind::mapped);
  }
  {
    const StorageMap reading = map(storage, MapAccess::read);
    const auto error = caught<AccessError>([&] { return map(storage, MapAccess::write); });
    CHECK(error.kind() == AccessError::Kind::mapped);
    CHECK(contains(error.what(), "1 map or copy of it for reading"));
  }
  CHECK(provider.calls.map == 2);
  CHECK(map(storage, MapAccess::write).address() != nullptr);
}

TEST_CASE("StorageMap: what a write map wrote is in the memory after its end, a read map changes nothing") {
  FakeProvider provider;
  const Storage storage = provider.domain(FakeProvider::managed).allocate(8);
  std::byte* const device = provider.device_bytes(storage.record()->handle);
  device[3] = std::byte{7};
  StorageMap writing = map(storage, MapAccess::write);
  CHECK(writing.address()[3] == std::byte{7});
  writing.address()[3] = std::byte{9};
  CHECK(device[3] == std::byte{7});
  writing.end();
  CHECK(writing.address() == nullptr);
  CHECK(device[3] == std::byte{9});
  writing.end();
  CHECK(provider.calls.unmap == 1);
}

TEST_CASE("StorageMap: coherent memory is counted but its provider is never asked") {
  FakeProvider provider;
  const Storage storage = provider.domain(FakeProvider::coherent).allocate(64);
  const LedgerScope scope;
  {
    const StorageMap writing = map(storage, MapAccess::write);
    CHECK(writing.address() == storage.address());
    CHECK(refused(storage, MapAccess::read) == AccessError::Kind::mapped);
  }
  CHECK(map(storage, MapAccess::read).address() == storage.address());
  CHECK(provider.calls.map == 0);
  CHECK(provider.calls.unmap == 0);
  CHECK(scope.mappings() == 0);
}

TEST_CASE("StorageMap: plain host memory needs no map") {
  const Storage storage = Storage::on_host("test", 64);
  const StorageMap writing = map(storage, MapAccess::write);
  const StorageMap reading = map(storage, MapAccess::read);
  CHECK(writing.address() == storage.address());
  CHECK(reading.address() == storage.address());
}

TEST_CASE("StorageMap: memory that the domain does not let the host map names what would do") {
  FakeProvider provider;
  const Storage device = provider.domain(FakeProvider::device).allocate(64);
  const auto error = caught<AccessError>([&] { return map(device, MapAccess::read); });
  CHECK(error.kind() == AccessError::Kind::not_mappable);
  CHECK(contains(error.advice(), "download"));
  CHECK(contains(error.found(), "test:0/device"));
  const Storage read_only = provider.domain(FakeProvider::read_only).allocate(64);
  CHECK(map(read_only, MapAccess::read).address() != nullptr);
  CHECK(refused(read_only, MapAccess::write) == AccessError::Kind::not_mappable);
  CHECK(provider.calls.map == 1);
}

TEST_CASE("StorageMap: a provider that fails to map leaves the storage unmapped") {
  FakeProvider provider;
  const Storage storage = provider.domain(FakeProvider::managed).allocate(64);
  provider.lies.map_code = TENURE_ABORTED;
  const auto error = caught<ProviderError>([&] { return map(storage, MapAccess::write); });
  CHECK(error.status_code() == TENURE_ABORTED);
  CHECK(contains(error.what(), "mapping 64 bytes of test:0/managed"));
  CHECK(provider.calls.unmap == 0);
  provider.lies = {};
  CHECK(map(storage, MapAccess::write).address() != nullptr);
}

TEST_CASE("StorageMap: a map that is null, short or misaligned is ended and refused in words") {
  FakeProvider provider;
  const Storage storage = provider.domain(FakeProvider::managed).allocate(64);
  int refusals = 0;
  for (const auto& [lies, words] :
       {std::pair{FakeProvider::Lies{.null_address = true}, "no address"},
        std::pair{FakeProvider::Lies{.short_bytes = true}, "only 63 bytes"},
        std::pair{FakeProvider::Lies{.misaligned = true}, "1 bytes off the alignment of 64"}}) {
    provider.lies = lies;
    const auto error = caught<ProviderError>([&] { return map(storage, MapAccess::read); });
    CHECK(contains(error.what(), words));
    CHECK(provider.calls.unmap == ++refusals);
    CHECK(storage.record()->maps.count() == 0);
  }
}

TEST_CASE("StorageMap: moving a map keeps it, assigning over one ends it") {
  FakeProvider provider;
  const Storage storage = provider.domain(FakeProvider::managed).allocate(64);
  StorageMap first = map(storage, MapAccess::read);
  StorageMap moved = std::move(first);
  CHECK(first.address() == nullptr);
  CHECK(provider.calls.unmap == 0);
  moved = map(storage, MapAccess::read);
  CHECK(provider.calls.unmap == 1);
  CHECK(storage.record()->maps.count() == 1);
  moved = StorageMap();
  CHECK(storage.record()->maps.count() == 0);
}
