// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <array>
#include <optional>

#include "memory/allocation_record.hpp"
#include "support/caught.hpp"
#include "support/fake_provider.hpp"
#include "tenure/base/access_error.hpp"
#include "tenure/base/provider_error.hpp"
#include "tenure/base/validation_error.hpp"
#include "tenure/memory/allocation_identity.hpp"
#include "tenure/memory/storage_map.hpp"

using namespace tenure;
using tenure_test::caught;
using tenure_test::contains;
using tenure_test::FakeProvider;

namespace {

// Memory of the user's, with a count of how often it was given back.
struct Lent {
  alignas(64) std::array<std::byte, 256> bytes{};
  int releases = 0;

  DataPtr pointer(std::size_t from = 0) {
    return DataPtr({.data = bytes.data() + from, .context = &releases, .deleter = [](void* context) noexcept {
                      ++*static_cast<int*>(context);
                    }});
  }
};

}  // namespace

TEST_CASE("import_memory: the user's memory becomes storage with an identity and goes back once") {
  FakeProvider provider;
  Lent lent;
  const AllocationDomain domain = provider.domain(FakeProvider::coherent);
  {
    DataPtr pointer = lent.pointer();
    Storage storage = domain.import_memory(std::move(pointer), 256);
    CHECK(pointer.empty());
    CHECK(storage.address() == lent.bytes.data());
    CHECK(storage.bytes() == 256);
    CHECK(storage.alignment_bytes() >= 8);
    CHECK(domain_of(storage.record()) == domain);
    CHECK(allocation_id_of(storage.record()).has_value());
    CHECK(placement_of(storage.record()).memory == MemoryKind::shared);
    const Storage moved = std::move(storage);
    CHECK(lent.releases == 0);
  }
  CHECK(lent.releases == 1);
  CHECK(provider.calls.import == 1);
  CHECK(provider.calls.create == 0);
  CHECK(provider.live_count() == 0);
}

TEST_CASE("import_memory: memory that the host must map is reached through maps") {
  FakeProvider provider;
  Lent lent;
  lent.bytes[5] = std::byte{7};
  Storage storage = provider.domain(FakeProvider::managed).import_memory(lent.pointer(), 256);
  CHECK(storage.address() == nullptr);
  {
    const StorageMap map("test", storage.address(), storage.record(), MapAccess::write);
    CHECK(map.address()[5] == std::byte{7});
    map.address()[5] = std::byte{9};
  }
  storage.reset();
  CHECK(lent.bytes[5] == std::byte{9});
  CHECK(lent.releases == 1);
}

TEST_CASE("import_memory: what is imported again after its end gets another id") {
  FakeProvider provider;
  Lent lent;
  const AllocationDomain domain = provider.domain(FakeProvider::coherent);
  const auto first = allocation_id_of(domain.import_memory(lent.pointer(), 256).record());
  const auto second = allocation_id_of(domain.import_memory(lent.pointer(), 256).record());
  CHECK(first != second);
  CHECK(lent.releases == 2);
}

TEST_CASE("import_memory: a second live import that shares a byte is refused, in any domain and provider") {
  FakeProvider provider;
  FakeProvider other;
  Lent lent;
  const Storage live = provider.domain(FakeProvider::coherent).import_memory(lent.pointer(64), 64);
  const auto refused = [&](const AllocationDomain& domain, std::size_t from, std::size_t bytes) {
    DataPtr pointer = lent.pointer(from);
    const auto error = caught<AccessError>([&] { return domain.import_memory(std::move(pointer), bytes); });
    CHECK(error.kind() == AccessError::Kind::imported);
    CHECK(contains(error.found(), "64 bytes at 0x"));
    CHECK(contains(error.found(), "test:0/coherent"));
    CHECK(pointer.release().data == lent.bytes.data() + from);
  };
  for (const AllocationDomain& domain :
       {provider.domain(FakeProvider::coherent), other.domain(FakeProvider::managed)}) {
    refused(domain, 64, 64);   // the same
    refused(domain, 0, 65);    // its first byte
    refused(domain, 127, 64);  // its last byte
    refused(domain, 0, 256);   // all of it
    refused(domain, 80, 1);    // within it
  }
  CHECK(provider.calls.import == 1);
  CHECK(other.calls.import == 0);
  CHECK(lent.releases == 0);
  const Storage before = other.domain(FakeProvider::managed).import_memory(lent.pointer(0), 64);
  const Storage after = provider.domain(FakeProvider::coherent).import_memory(lent.pointer(128), 64);
  CHECK(other.calls.import == 1);
}

TEST_CASE("import_memory: a range is free again when its import has ended or failed") {
  FakeProvider provider;
  Lent lent;
  const AllocationDomain domain = provider.domain(FakeProvider::coherent);
  { const Storage first = domain.import_memory(lent.pointer(), 256); }
  provider.lies.import_code = TENURE_RESOURCE_EXHAUSTED;
  CHECK_THROWS_AS(domain.import_memory(lent.pointer(), 256), ProviderError);
  provider.lies = {};
  const Storage again = domain.import_memory(lent.pointer(), 256);
  CHECK(again.address() == lent.bytes.data());
}

TEST_CASE("import_memory: a deleter may import the same bytes again at once") {
  FakeProvider provider;
  struct Context {
    AllocationDomain domain;
    std::array<std::byte, 64> bytes;
    std::optional<Storage> again;
  };
  Context context{provider.domain(FakeProvider::coherent), {}, {}};
  const auto deleter = [](void* given) noexcept {
    auto& self = *static_cast<Context*>(given);
    self.again = self.domain.import_memory(DataPtr({.data = self.bytes.data()}), 64);
  };
  {
    const Storage first =
        context.domain.import_memory(DataPtr({context.bytes.data(), &context, deleter}), 64);
  }
  REQUIRE(context.again.has_value());
  CHECK(context.again->address() == context.bytes.data());
}

TEST_CASE("import_memory: without bytes nobody is asked and there is no identity") {
  FakeProvider provider;
  Lent lent;
  {
    const Storage none = provider.domain(FakeProvider::coherent).import_memory(lent.pointer(), 0);
    CHECK(none.address() == nullptr);
    CHECK(none.record() == nullptr);
    CHECK(lent.releases == 0);
  }
  CHECK(lent.releases == 1);
  CHECK(provider.calls.import == 0);
}

TEST_CASE("import_memory: whatever is refused leaves the handle as it was") {
  FakeProvider provider;
  Lent lent;
  const auto refused = [&]<class E>(std::in_place_type_t<E>, FakeProvider::Domain domain, DataPtr&& pointer,
                                    std::size_t bytes) {
    const void* const data = pointer.data();
    const E error =
        caught<E>([&] { return provider.domain(domain).import_memory(std::move(pointer), bytes); });
    CHECK(lent.releases == 0);
    CHECK(provider.live_count() == 0);
    CHECK(pointer.release().data == data);
    return error;
  };
  constexpr std::in_place_type_t<ValidationError> validation;
  constexpr std::in_place_type_t<ProviderError> provider_error;
  CHECK(
      refused(validation, FakeProvider::coherent, DataPtr({.data = nullptr}), 8).get_if<InvalidArgument>() !=
      nullptr);
  CHECK(refused(validation, FakeProvider::coherent, lent.pointer(), SIZE_MAX).get_if<IntegerOverflow>() !=
        nullptr);
  const auto nameless = refused(validation, FakeProvider::pageable, lent.pointer(), 256);
  REQUIRE(nameless.get_if<MissingAllocationIdentity>() != nullptr);
  CHECK(nameless.get_if<MissingAllocationIdentity>()->field == "allocation id");
  CHECK(contains(nameless.what(), "from_data_ptr"));

  provider.lies.import_code = TENURE_UNIMPLEMENTED;
  const auto unable = refused(provider_error, FakeProvider::managed, lent.pointer(), 256);
  CHECK(unable.status_code() == TENURE_UNIMPLEMENTED);
  CHECK(contains(unable.what(), "importing 256 bytes into test:0/managed"));
  for (const auto& [lies, words] :
       {std::pair{FakeProvider::Lies{.null_storage = true}, "there is no storage"},
        std::pair{FakeProvider::Lies{.moved = true}, "lies elsewhere"},
        std::pair{FakeProvider::Lies{.short_bytes = true}, "only 255 bytes"}}) {
    provider.lies = lies;
    CHECK(contains(refused(provider_error, FakeProvider::coherent, lent.pointer(), 256).what(), words));
  }
  provider.lies = {};
  const Storage good = provider.domain(FakeProvider::coherent).import_memory(lent.pointer(), 256);
  CHECK(good.address() == lent.bytes.data());
}

TEST_CASE("import_memory: a closed instance imports nothing, and a live import keeps it from closing") {
  FakeProvider provider;
  Lent lent;
  const AllocationDomain domain = provider.domain(FakeProvider::coherent);
  {
    const Storage live = domain.import_memory(lent.pointer(), 256);
    CHECK_THROWS_AS(provider.control().close(), ProviderError);
  }
  provider.control().close();
  DataPtr pointer = lent.pointer();
  const auto error = caught<ProviderError>([&] { return domain.import_memory(std::move(pointer), 256); });
  CHECK(error.status_code() == TENURE_FAILED_PRECONDITION);
  CHECK(lent.releases == 1);
  CHECK(pointer.data() == lent.bytes.data());
}

TEST_CASE("same_allocation: an import is itself by identity, wherever its bytes lie") {
  FakeProvider provider;
  Lent lent;
  const Storage imported = provider.domain(FakeProvider::coherent).import_memory(lent.pointer(), 128);
  const Storage beside = provider.domain(FakeProvider::coherent).import_memory(lent.pointer(128), 128);
  const auto place_of = [](const Storage& storage) {
    return AllocationPlace{storage.address(), storage.record()};
  };
  CHECK(same_allocation(place_of(imported), place_of(imported)));
  CHECK_FALSE(same_allocation(place_of(imported), place_of(beside)));
  CHECK_FALSE(same_allocation(place_of(imported), {lent.bytes.data(), nullptr}));
}
