// SPDX-License-Identifier: Apache-2.0
#include "tenure/memory/allocation_identity.hpp"

#include <doctest/doctest.h>

#include "support/fake_provider.hpp"

using namespace tenure;
using tenure_test::FakeProvider;

namespace {

AllocationPlace place_of(const Storage& storage) { return {storage.address(), storage.record()}; }

}  // namespace

TEST_CASE("identity: provider memory shows domain, id and placement, plain host memory none") {
  FakeProvider provider;
  const Storage device = provider.domain(FakeProvider::device).allocate(64);
  CHECK(domain_of(device.record()) == provider.domain(FakeProvider::device));
  CHECK(allocation_id_of(device.record()).has_value());
  CHECK(placement_of(device.record()).memory == MemoryKind::device);
  CHECK(placement_of(device.record()).device_type == 2);

  const Storage plain = provider.domain(FakeProvider::pageable).allocate(64);
  CHECK_FALSE(domain_of(plain.record()).has_value());
  CHECK_FALSE(allocation_id_of(plain.record()).has_value());
  CHECK(placement_of(plain.record()) == Placement{});
}

TEST_CASE("identity: an allocation id is never given twice") {
  FakeProvider provider;
  const AllocationDomain domain = provider.domain(FakeProvider::managed);
  const auto first = allocation_id_of(domain.allocate(64).record());
  const auto second = allocation_id_of(domain.allocate(64).record());
  CHECK(first != second);
}

TEST_CASE("same_allocation: by identity for provider memory, by address for plain host memory") {
  FakeProvider provider;
  const Storage first = provider.domain(FakeProvider::device).allocate(64);
  const Storage second = provider.domain(FakeProvider::device).allocate(64);
  const Storage host = Storage::on_host("test", 64);
  const Storage other_host = Storage::on_host("test", 64);
  CHECK(same_allocation(place_of(first), place_of(first)));
  CHECK_FALSE(same_allocation(place_of(first), place_of(second)));
  CHECK(same_allocation(place_of(host), place_of(host)));
  CHECK_FALSE(same_allocation(place_of(host), place_of(other_host)));
  CHECK_FALSE(same_allocation(place_of(host), place_of(first)));
  CHECK_FALSE(same_allocation(place_of(Storage()), place_of(Storage())));
}
