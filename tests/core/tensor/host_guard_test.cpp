// SPDX-License-Identifier: Apache-2.0
#include "tenure/tensor/host_guard.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "core/tensor/placed_tensor.hpp"
#include "support/caught.hpp"
#include "tenure/base/access_error.hpp"
#include "tenure/base/empty_owner.hpp"
#include "tenure/base/provider_error.hpp"
#include "tenure/base/validation_error.hpp"
#include "tenure/memory/ledger.hpp"
#include "tenure/tensor/host_tensor.hpp"
#include "tenure/tensor/transfer.hpp"

using namespace tenure;
using tenure_test::caught;
using tenure_test::contains;
using tenure_test::counting_in;
using tenure_test::FakeProvider;
using tenure_test::mapped;

TEST_CASE("map_read: gives the elements of memory that the host must map, by one call, and copies nothing") {
  FakeProvider provider;
  for (const std::int64_t count : {1, 4096}) {
    const auto tensor = counting_in(provider, FakeProvider::managed, {count});
    const LedgerScope scope;
    const int maps = provider.calls.map;
    {
      const auto guard = tensor.map_read();
      CHECK(guard.host_data().size() == static_cast<std::size_t>(count));
      CHECK(guard.host_data().back() == static_cast<double>(count - 1));
      CHECK(guard.view().at(0) == 0.0);
    }
    CHECK(provider.calls.map == maps + 1);
    CHECK(provider.calls.unmap == provider.calls.map);
    CHECK(scope.bytes_copied() == 0);
    CHECK(scope.mappings() == 1);
  }
}

TEST_CASE("map_read: works on every owner and view, on the host without asking anyone") {
  auto host = HostTensor<double, 2>::filled({2, 3}, 1.0);
  CHECK(host.map_read().host_data().data() == host.host_data().data());
  CHECK(host.map_write().host_data().data() == host.host_data().data());
  CHECK(host.as_view().map_read().view()(1, 2) == 1.0);
  const auto dynamic = std::move(host).into_dynamic();
  const auto guard = dynamic.map_read();
  CHECK(guard.view().as_typed<double, 2>()(0, 0) == 1.0);

  FakeProvider provider;
  const auto managed = counting_in<2>(provider, FakeProvider::managed, {2, 3});
  const auto part = managed.as_view().transposed().select(0, 1);
  const auto part_guard = part.map_read();
  CHECK(part_guard.view()(1) == 3.0);
  CHECK(part_guard.host_data()[0] == 2.0);
  const auto erased_guard = managed.as_view().as_dynamic().map_read();
  CHECK(erased_guard.view().as_typed<double, 2>()(1, 1) == 3.0);
  CHECK(provider.calls.map == 2);
}

TEST_CASE("map_read: views that are not compact are reached by index, not as a span") {
  FakeProvider provider;
  const auto tensor = counting_in<2>(provider, FakeProvider::managed, {2, 3});
  const auto guard = tensor.as_view().transposed().map_read();
  CHECK(guard.view()(2, 1) == 5.0);
  CHECK(caught<ValidationError>([&] { return guard.host_data(); }).get_if<NotCompact>() != nullptr);
}

TEST_CASE("map_write: publish makes what was written visible to the device") {
  FakeProvider provider;
  auto tensor = counting_in<1>(provider, FakeProvider::managed, {4});
  const auto* const device = reinterpret_cast<const double*>(
      provider.device_bytes(StateAccess::state(tensor).storage().record()->handle));
  auto guard = tensor.map_write();
  CHECK(guard.host_data()[3] == 3.0);
  guard.host_data()[3] = 30.0;
  guard.view()(0) = 10.0;
  CHECK(device[3] == 3.0);
  guard.publish();
  CHECK(device[3] == 30.0);
  CHECK(device[0] == 10.0);
  CHECK_THROWS_AS(guard.host_data(), EmptyOwner);
  CHECK_THROWS_AS(guard.view().extents(), EmptyOwner);
  guard.publish();
  CHECK(provider.calls.unmap == 1);
  CHECK(tensor.map_read().host_data()[3] == 30.0);
}

TEST_CASE("map_write: a guard that an exception destroys ends the map") {
  FakeProvider provider;
  auto tensor = counting_in<1>(provider, FakeProvider::managed, {4});
  try {
    const auto guard = tensor.map_write();
    guard.host_data()[0] = 1.0;
    throw 1;
  } catch (int) {
  }
  CHECK(provider.calls.unmap == 1);
  CHECK(tensor.map_write().host_data()[0] == 1.0);
}

TEST_CASE("maps: read maps go together, a write map excludes all, and a conflict is answered at once") {
  FakeProvider provider;
  auto tensor = counting_in<1>(provider, FakeProvider::managed, {4});
  {
    const auto first = tensor.map_read();
    const auto second = tensor.as_view().flip(0).map_read();
    CHECK(caught<AccessError>([&] { return tensor.map_write(); }).kind() == AccessError::Kind::mapped);
    CHECK(second.view()(0) == 3.0);
  }
  {
    const auto writing = tensor.map_write();
    const auto error = caught<AccessError>([&] { return tensor.map_read(); });
    CHECK(error.kind() == AccessError::Kind::mapped);
    CHECK(error.operation() == "map_read");
  }
  const StorageMap writing = mapped(tensor, MapAccess::write);
  CHECK_THROWS_AS(tensor.as_view().select(0, 0).map_read(), AccessError);
}

TEST_CASE("maps: memory that the host can never reach is refused and names download") {
  FakeProvider provider;
  auto device = counting_in<1>(provider, FakeProvider::device, {4});
  const auto error = caught<AccessError>([&] { return device.map_read(); });
  CHECK(error.kind() == AccessError::Kind::not_mappable);
  CHECK(contains(error.what(), "download"));
  auto read_only = counting_in<1>(provider, FakeProvider::read_only, {4});
  CHECK(read_only.map_read().host_data()[2] == 2.0);
  CHECK(caught<AccessError>([&] { return read_only.map_write(); }).kind() == AccessError::Kind::not_mappable);
}

TEST_CASE("maps: tensors without elements ask nobody") {
  FakeProvider provider;
  auto none = counting_in<1>(provider, FakeProvider::managed, {0});
  CHECK(none.map_read().host_data().empty());
  CHECK(none.map_write().host_data().empty());
  CHECK(provider.calls.map == 0);
  CHECK(provider.calls.create == 0);
}

TEST_CASE("maps: going to the device and back keeps the allocation and copies nothing") {
  FakeProvider provider;
  auto tensor = counting_in<1>(provider, FakeProvider::managed, {4});
  const auto id = tensor.allocation_id();
  const LedgerScope scope;
  { const auto guard = tensor.map_write(); }
  { const auto guard = tensor.map_read(); }
  CHECK(tensor.allocation_id() == id);
  CHECK(scope.bytes_copied() == 0);
  CHECK(scope.mappings() == 2);
}

TEST_CASE("maps: views without elements of memory that must be mapped ask nobody and are in nobody's way") {
  FakeProvider provider;
  auto managed = counting_in<1>(provider, FakeProvider::managed, {4});
  auto device = counting_in<1>(provider, FakeProvider::device, {4});
  const StorageMap writing = mapped(managed, MapAccess::write);
  for (const auto* tensor : {&managed, &device}) {
    const auto none = tensor->as_view().slice(0, Slice{2, 2});
    CHECK(none.host_data().empty());
    CHECK(none.get({0}) == nullptr);
    const auto guard = none.map_read();
    CHECK(guard.host_data().empty());
    CHECK(guard.view().host_data().empty());
  }
  auto guard = device.as_view_mut().slice(0, Slice{2, 2}).map_write();
  CHECK(guard.host_data().empty());
  guard.publish();
  CHECK(provider.calls.map == 1);
  CHECK_THROWS_AS(device.as_view().host_data(), AccessError);
}

TEST_CASE("map_write: a part is written in place, what lies beside it keeps what the device wrote") {
  FakeProvider provider;
  auto tensor = counting_in<2>(provider, FakeProvider::managed, {4, 3});
  auto* const device =
      reinterpret_cast<double*>(provider.device_bytes(StateAccess::state(tensor).storage().record()->handle));
  device[11] = -1.0;
  {
    auto row = tensor.as_view_mut().select(0, 1).map_write();
    CHECK(row.view()(2) == 9.0);
    for (std::int64_t column = 0; column < 3; ++column)
      row.view()(column) = 100.0 + static_cast<double>(column);
    row.publish();
  }
  {
    auto corner = tensor.as_view_mut().slice({Slice{2, 4}, Slice{0, 1}}).map_write();
    corner.host_data()[0] = 50.0;
    corner.publish();
  }
  CHECK(std::vector<double>(device, device + 12) ==
        std::vector<double>{0, 100, 50, 3, 4, 101, 6, 7, 8, 102, 10, -1});
  CHECK(provider.calls.map == 2);
  CHECK(provider.calls.unmap == 2);
}

TEST_CASE("map_write: a map of any part excludes maps of every other part until it is published") {
  FakeProvider provider;
  for (const auto domain : {FakeProvider::managed, FakeProvider::coherent}) {
    auto tensor = counting_in<2>(provider, domain, {4, 3});
    auto left = tensor.as_view_mut().select(1, 0).map_write();
    for (const MapAccess access : {MapAccess::read, MapAccess::write}) {
      CHECK(caught<AccessError>([&] { return mapped(tensor, access); }).kind() == AccessError::Kind::mapped);
    }
    left.publish();
    CHECK(mapped(tensor, MapAccess::write).address() != nullptr);
  }
}

TEST_CASE("maps: read maps of a tensor and its parts are counted, and the last of them lets a writer in") {
  FakeProvider provider;
  for (const auto domain : {FakeProvider::managed, FakeProvider::coherent}) {
    const auto tensor = counting_in<2>(provider, domain, {4, 3});
    const AllocationRecord& record = *StateAccess::state(tensor).storage().record();
    {
      const auto whole = tensor.map_read();
      CHECK(record.maps.count() == 1);
      {
        const auto row = tensor.as_view().select(0, 1).map_read();
        const auto flipped = row.view().flip(0);
        CHECK(record.maps.count() == 2);
        CHECK(flipped(0) == 9.0);
      }
      CHECK(record.maps.count() == 1);
      CHECK(caught<AccessError>([&] { return mapped(tensor, MapAccess::write); }).kind() ==
            AccessError::Kind::mapped);
    }
    CHECK(record.maps.count() == 0);
    CHECK(mapped(tensor, MapAccess::write).address() != nullptr);
  }
}

TEST_CASE("maps: memory that a device works on is in use, and nothing waits for it") {
  FakeProvider provider;
  auto tensor = counting_in<1>(provider, FakeProvider::managed, {4});
  provider.lies = {.map_code = TENURE_FAILED_PRECONDITION, .retryable = true};
  const LedgerScope scope;
  const auto reading = caught<AccessError>([&] { return tensor.map_read(); });
  CHECK(reading.kind() == AccessError::Kind::in_use);
  CHECK(reading.operation() == "map_read");
  CHECK(contains(reading.what(), "test:0/managed"));
  REQUIRE(reading.cause() != nullptr);
  CHECK(contains(reading.cause()->what(), "asked to fail"));
  CHECK(caught<AccessError>([&] { return tensor.map_write(); }).kind() == AccessError::Kind::in_use);
  CHECK(scope.mappings() == 0);
  CHECK(scope.waits() == 0);
  provider.lies = {};
  CHECK(tensor.map_write().host_data()[3] == 3.0);
}

TEST_CASE("maps: a refusal for good is the provider's error") {
  FakeProvider provider;
  const auto tensor = counting_in<1>(provider, FakeProvider::managed, {4});
  provider.lies = {.map_code = TENURE_FAILED_PRECONDITION};
  CHECK_THROWS_AS(tensor.map_read(), ProviderError);
  provider.lies = {.map_code = TENURE_ABORTED, .retryable = true};
  CHECK_THROWS_AS(tensor.map_read(), ProviderError);
}

TEST_CASE("host access: the number of calls to the provider does not depend on the number of elements") {
  const auto calls_for = [](std::int64_t count) {
    FakeProvider provider;
    {
      auto tensor = counting_in<1>(provider, FakeProvider::managed, {count});
      {
        const auto guard = tensor.map_read();
        CHECK(std::ranges::is_sorted(guard.host_data()));
      }
      {
        const auto guard = tensor.as_view_mut().flip(0).map_write();
        for (std::int64_t i = 0; i < count; ++i) guard.view()(i) = static_cast<double>(i);
      }
      const auto copy = tensor.duplicate();
      copy_into(copy.as_view(), tensor.as_view_mut().flip(0));
      CHECK(tensor.to_vec_col_major().size() == static_cast<std::size_t>(count));
      CHECK(tensor.as_view().slice(0, Slice{{}, {}, 2}).map_read().view()(0) == 0.0);
    }
    return provider.calls;
  };
  const FakeProvider::Calls one = calls_for(1);
  CHECK(one.create == 2);
  CHECK(one.release == 2);
  CHECK(one.map == 3);
  CHECK(one.unmap == 3);
  CHECK(one.copy == 3);
  for (const std::int64_t count : {2, 4096, 100'000}) CHECK(calls_for(count) == one);
}
