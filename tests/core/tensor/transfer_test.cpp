// SPDX-License-Identifier: Apache-2.0
#include "tenure/tensor/transfer.hpp"

#include <doctest/doctest.h>

#include <array>

#include "core/tensor/placed_tensor.hpp"
#include "support/caught.hpp"
#include "tenure/base/disjoint_error.hpp"
#include "tenure/base/empty_owner.hpp"
#include "tenure/base/out_of_memory.hpp"
#include "tenure/base/provider_error.hpp"
#include "tenure/base/transfer_error.hpp"
#include "tenure/base/validation_error.hpp"
#include "tenure/memory/ledger.hpp"
#include "tenure/tensor/same_allocation.hpp"

using namespace tenure;
using tenure_test::caught;
using tenure_test::contains;
using tenure_test::counting_in;
using tenure_test::FakeProvider;

namespace {

HostTensor<double, 2> rows() {
  return HostTensor<double, 2>::from_vec_row_major({2, 3}, std::vector<double>{1, 2, 3, 4, 5, 6});
}

}  // namespace

TEST_CASE("upload: makes new memory in the domain and counts the bytes, download brings them back") {
  FakeProvider provider;
  const auto tensor = rows();
  const LedgerScope scope;
  const TypedTensor<double, 2> managed = upload(tensor.as_view(), provider.domain(FakeProvider::managed));
  CHECK(managed.domain() == provider.domain(FakeProvider::managed));
  CHECK(managed.allocation_id().has_value());
  CHECK(managed.placement().memory == MemoryKind::managed);
  CHECK(scope.bytes_copied() == 48);
  const HostTensor<double, 2> back = download(managed.as_view());
  CHECK(back.to_vec_row_major() == std::vector<double>{1, 2, 3, 4, 5, 6});
  CHECK_FALSE(back.domain().has_value());
  CHECK(provider.calls.copy == 2);
  CHECK(provider.calls.map == 0);
}

TEST_CASE("upload and download: take any layout and keep it out of the result") {
  FakeProvider provider;
  const auto tensor = rows();
  const auto managed = upload(tensor.as_view().transposed(), provider.domain(FakeProvider::managed));
  CHECK(managed.extent(0) == 3);
  CHECK(download(managed.as_view().select(0, 1)).to_vec_col_major() == std::vector<double>{2, 5});
  const Tensor dynamic = download(managed.as_view().as_dynamic());
  CHECK(dynamic.to_vec_row_major<double>() == std::vector<double>{1, 4, 2, 5, 3, 6});
}

TEST_CASE("download: of host memory is a copy as well, and upload may go to plain host memory") {
  FakeProvider provider;
  const auto tensor = rows();
  const auto copy = download(tensor.as_view());
  CHECK_FALSE(same_allocation(copy, tensor));
  const auto plain = upload(tensor.as_view(), provider.domain(FakeProvider::pageable));
  CHECK(plain.to_vec_row_major() == tensor.to_vec_row_major());
  CHECK_FALSE(plain.domain().has_value());
  CHECK(provider.calls.copy == 0);
}

TEST_CASE("transfers: a pair that the provider does not list is refused, with the steps that would do") {
  FakeProvider provider;
  const auto tensor = rows();
  const LedgerScope scope;
  const auto error =
      caught<TransferError>([&] { return upload(tensor.as_view(), provider.domain(FakeProvider::device)); });
  CHECK(error.operation() == "upload");
  CHECK(error.source() == "host");
  CHECK(error.target() == "test:0/device");
  CHECK(contains(error.what(), "upload() to test:0/pageable and copy from there"));
  const auto device = counting_in<2>(provider, FakeProvider::device, {2, 3});
  CHECK(caught<TransferError>([&] { return download(device.as_view()); }).target() == "host");
  CHECK(caught<TransferError>([&] { return device.to_vec_col_major(); }).operation() == "to_vec_col_major");
  CHECK(scope.bytes_copied() == 0);
  CHECK(provider.calls.copy == 0);
  CHECK(provider.live_count() == 1);
  provider.list_copy(FakeProvider::device, FakeProvider::device, false);
  CHECK_THROWS_AS(device.duplicate(), TransferError);
  for (std::uint64_t domain = 0; domain < FakeProvider::domain_count; ++domain) {
    provider.list_copy(domain, FakeProvider::device, false);
  }
  CHECK(contains(caught<TransferError>([&] { return device.duplicate(); }).what(), "no third place"));
  provider.list_copy(FakeProvider::managed, FakeProvider::coherent, false);
  const auto managed = counting_in<1>(provider, FakeProvider::managed, {2});
  const auto to_coherent = [&] { return upload(managed.as_view(), provider.domain(FakeProvider::coherent)); };
  CHECK(
      contains(caught<TransferError>(to_coherent).what(), "download() to the host and upload() from there"));
}

TEST_CASE("transfers: two instances never copy between each other by a third place") {
  FakeProvider first;
  FakeProvider second;
  const auto tensor = counting_in<1>(first, FakeProvider::coherent, {4});
  const auto error =
      caught<TransferError>([&] { return upload(tensor.as_view(), second.domain(FakeProvider::coherent)); });
  CHECK(contains(error.what(), "download() to the host and upload() from there"));
  CHECK(second.live_count() == 0);
  const auto via_host = download(tensor.as_view());
  CHECK(upload(via_host.as_view(), second.domain(FakeProvider::coherent)).element_count() == 4);
}

TEST_CASE("transfers: between domains of one instance are the provider's") {
  FakeProvider provider;
  const auto device = counting_in<1>(provider, FakeProvider::device, {4});
  const auto managed = upload(device.as_view(), provider.domain(FakeProvider::managed));
  CHECK(managed.map_read().host_data()[3] == 3.0);
  CHECK(provider.calls.copy == 1);
}

TEST_CASE("transfers: no memory in the domain is OutOfMemory") {
  FakeProvider provider;
  provider.lies.create_code = TENURE_RESOURCE_EXHAUSTED;
  const auto tensor = rows();
  const auto error =
      caught<OutOfMemory>([&] { return upload(tensor.as_view(), provider.domain(FakeProvider::managed)); });
  CHECK(error.bytes() == 48);
  CHECK(error.operation() == "upload");
}

TEST_CASE("transfers: a copy that nobody makes is refused before anything is allocated for it") {
  FakeProvider provider;
  FakeProvider other;
  const auto host = rows();
  const auto device = counting_in<1>(provider, FakeProvider::device, {4});
  for (FakeProvider* each : {&provider, &other}) {
    each->calls.create = 0;
    each->lies.create_code = TENURE_RESOURCE_EXHAUSTED;
  }
  CHECK_THROWS_AS(upload(host.as_view(), provider.domain(FakeProvider::device)), TransferError);
  CHECK_THROWS_AS(upload(device.as_view(), other.domain(FakeProvider::managed)), TransferError);
  CHECK_THROWS_AS(upload(device.as_view(), other.domain(FakeProvider::pageable)), TransferError);
  provider.list_copy(FakeProvider::device, FakeProvider::device, false);
  CHECK_THROWS_AS(device.duplicate(), TransferError);
  CHECK(provider.calls.create == 0);
  CHECK(other.calls.create == 0);
}

TEST_CASE(
    "transfers: a block that turns out to be plain host memory is given back when nobody copies to it") {
  FakeProvider provider;
  const auto device = counting_in<1>(provider, FakeProvider::device, {4});
  // The pair is listed, but a block without an identity is the host's.
  CHECK_THROWS_AS(upload(device.as_view(), provider.domain(FakeProvider::pageable)), TransferError);
  CHECK(provider.live_count() == 1);
}

TEST_CASE("upload: to a closed instance is refused without asking it") {
  FakeProvider provider;
  const auto tensor = rows();
  const AllocationDomain domain = provider.domain(FakeProvider::managed);
  provider.control().close();
  CHECK(caught<ProviderError>([&] { return upload(tensor.as_view(), domain); }).status_code() ==
        TENURE_FAILED_PRECONDITION);
}

TEST_CASE("copy_into: writes every element to the same index, across layouts and domains") {
  FakeProvider provider;
  const auto tensor = rows();
  auto target = HostTensor<double, 2>::zeros({3, 2});
  const LedgerScope scope;
  copy_into(tensor.as_view().transposed(), target.as_view_mut());
  CHECK(target(2, 0) == 3.0);
  CHECK(scope.bytes_copied() == 48);
  auto managed = counting_in<2>(provider, FakeProvider::managed, {2, 3});
  copy_into(tensor.as_view().select(0, 1).as_dynamic(), managed.as_view_mut().select(0, 0).as_dynamic());
  CHECK(managed.map_read().view()(0, 2) == 6.0);
  CHECK(managed.map_read().view()(1, 2) == 5.0);
  copy_into(managed.as_view().select(0, 1), target.as_view_mut().select(1, 0));
  CHECK(target(2, 0) == 5.0);
}

TEST_CASE("copy_into: extents and element types must be equal") {
  const auto source = rows();
  auto target = HostTensor<double, 2>::zeros({3, 2});
  auto floats = HostTensor<float, 2>::zeros({2, 3});
  const auto shape = caught<ValidationError>([&] {
    copy_into(source.as_view(), target.as_view_mut());
    return 0;
  });
  REQUIRE(shape.get_if<ShapeMismatch>() != nullptr);
  CHECK(shape.get_if<ShapeMismatch>()->left == std::vector<std::int64_t>{2, 3});
  CHECK(shape.get_if<ShapeMismatch>()->rule == ShapeRule::destination);
  CHECK_FALSE(contains(shape.what(), "broadcast"));
  CHECK(caught<ValidationError>([&] {
          copy_into(source.as_view(), floats.as_view_mut());
          return 0;
        }).get_if<DTypeMismatch>() != nullptr);
}

TEST_CASE("copy_into: operands that share memory are refused with a witness, others of one tensor are not") {
  auto tensor = HostTensor<double, 2>::from_vec_col_major({2, 2}, {1, 2, 3, 4});
  // Two views of one tensor, as an allocation group hands them out.
  const auto view = [&](std::int64_t axis, std::int64_t index) {
    return StateAccess::state(tensor).view().layout().select(axis, index);
  };
  const auto state = StateAccess::state(tensor).view();
  const auto reading = [&](Layout layout) {
    return StateAccess::make<TypedTensorView<double, 1>>(state.with_layout(std::move(layout)));
  };
  const auto writing = [&](Layout layout) {
    return StateAccess::make<TypedTensorViewMut<double, 1>>(state.with_layout(std::move(layout)));
  };
  copy_into(reading(view(0, 0)), writing(view(0, 1)));  // the interleaved rows
  CHECK(tensor.to_vec_col_major() == std::vector<double>{1, 1, 3, 3});
  const auto error = caught<DisjointError>([&] {
    copy_into(reading(view(0, 0)), writing(view(1, 0)));
    return 0;
  });
  CHECK(error.kind() == DisjointError::Kind::overlap);
  REQUIRE(error.witness() != nullptr);
  CHECK(error.witness()->first == ElementIndex{0});
  CHECK(error.witness()->second == ElementIndex{0});
  CHECK(tensor.to_vec_col_major() == std::vector<double>{1, 1, 3, 3});
}

TEST_CASE("copy_into: overlap within a provider's allocation is found without an address") {
  FakeProvider provider;
  auto tensor = counting_in<1>(provider, FakeProvider::device, {6});
  const auto state = StateAccess::state(tensor).view();
  const auto part = [&](std::int64_t start) { return state.layout().slice(0, Slice{start, start + 3}); };
  const auto copy = [&](std::int64_t from, std::int64_t to) {
    copy_into(StateAccess::make<TypedTensorView<double, 1>>(state.with_layout(part(from))),
              StateAccess::make<TypedTensorViewMut<double, 1>>(state.with_layout(part(to))));
    return 0;
  };
  CHECK_THROWS_AS(copy(0, 2), DisjointError);
  CHECK(provider.calls.copy == 0);
  copy(0, 3);
  CHECK(provider.calls.copy == 1);
}

TEST_CASE("copy_into: an import and an adoption of the same bytes overlap, by their host addresses") {
  FakeProvider provider;
  alignas(64) std::array<double, 8> values{0, 1, 2, 3, 4, 5, 6, 7};
  const auto at = [&](std::size_t first) { return DataPtr({.data = &values[first]}); };
  const auto imported = Tensor::import_into(provider.domain(FakeProvider::coherent), f64, {4}, at(0), 32);
  auto inside = Tensor::from_data_ptr(f64, {4}, at(3), 32);
  const auto error = caught<DisjointError>([&] {
    copy_into(imported.as_view(), inside.as_view_mut());
    return 0;
  });
  REQUIRE(error.witness() != nullptr);
  CHECK(error.witness()->first == ElementIndex{3});
  CHECK(error.witness()->second == ElementIndex{0});
  CHECK(values[4] == 4.0);
  auto behind = Tensor::from_data_ptr(f64, {4}, at(4), 32);
  copy_into(imported.as_view(), behind.as_view_mut());
  CHECK(values[7] == 3.0);
}

TEST_CASE("same_allocation: views share their owner's, copies do not, empties share none") {
  FakeProvider provider;
  const auto host = rows();
  const auto device = counting_in<1>(provider, FakeProvider::device, {4});
  const auto other = counting_in<1>(provider, FakeProvider::device, {4});
  CHECK(same_allocation(host, host.as_view().transposed().select(0, 1)));
  CHECK(same_allocation(device, device.as_view().flip(0)));
  CHECK_FALSE(same_allocation(device, other));
  CHECK_FALSE(same_allocation(device, host));
  const auto none = HostTensor<double, 1>::zeros({0});
  CHECK_FALSE(same_allocation(none, none));
  auto moved = rows();
  const auto taken = std::move(moved);
  CHECK_THROWS_AS(same_allocation(moved, taken), EmptyOwner);
}
