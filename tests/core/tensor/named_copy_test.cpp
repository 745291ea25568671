// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <numeric>
#include <random>

#include "core/tensor/placed_tensor.hpp"
#include "support/caught.hpp"
#include "tenure/base/access_error.hpp"
#include "tenure/base/out_of_memory.hpp"
#include "tenure/base/provider_error.hpp"
#include "tenure/base/transfer_error.hpp"
#include "tenure/base/validation_error.hpp"
#include "tenure/memory/ledger.hpp"
#include "tenure/tensor/host_tensor.hpp"
#include "tenure/tensor/same_allocation.hpp"
#include "tenure/tensor/transfer.hpp"

using namespace tenure;
using tenure_test::caught;
using tenure_test::contains;
using tenure_test::counting_in;
using tenure_test::FakeProvider;
using tenure_test::mapped;

TEST_CASE("duplicate: new memory with the same elements, counted") {
  auto tensor = HostTensor<double, 2>::from_vec_col_major({2, 2}, {1, 2, 3, 4});
  const LedgerScope scope;
  const HostTensor<double, 2> copy = tensor.duplicate();
  CHECK(copy.host_data().data() != tensor.host_data().data());
  CHECK(copy.to_vec_col_major() == tensor.to_vec_col_major());
  CHECK(reinterpret_cast<std::uintptr_t>(copy.host_data().data()) % 64 == 0);
  CHECK_FALSE(same_allocation(copy, tensor));
  tensor(0, 0) = 9.0;
  CHECK(copy(0, 0) == 1.0);
  CHECK(scope.owners_created() == 1);
  CHECK(scope.copies() == 3);
  CHECK(scope.bytes_copied() == 96);
}

TEST_CASE("duplicate: of a view that is not compact is refused and names to_col_major") {
  const auto tensor = HostTensor<double, 2>::from_vec_col_major({2, 2}, {1, 2, 3, 4});
  const LedgerScope scope;
  const auto error = caught<ValidationError>([&] { return tensor.as_view().transposed().duplicate(); });
  CHECK(error.get_if<NotCompact>() != nullptr);
  CHECK(contains(error.what(), "to_col_major"));
  CHECK_THROWS_AS(tensor.as_view().as_dynamic().transposed().duplicate(), ValidationError);
  CHECK(scope.owners_created() == 0);
  CHECK(tensor.as_view().select(1, 1).duplicate().to_vec_col_major() == std::vector<double>{3, 4});
}

TEST_CASE("to_col_major: any view of any rank becomes a compact owner with the same elements") {
  std::mt19937 random(11);
  for (int round = 0; round < 100; ++round) {
    const std::size_t rank = random() % 8;
    std::vector<std::int64_t> extents(rank);
    for (std::int64_t& extent : extents) extent = static_cast<std::int64_t>(1 + random() % 4);
    auto tensor = HostTensor<std::int32_t>::zeros(extents);
    std::iota(tensor.host_data_mut().begin(), tensor.host_data_mut().end(), 0);
    auto view = tensor.as_view();
    for (std::int64_t axis = 0; axis < view.rank(); ++axis) {
      if (random() % 3 == 0) view = view.flip(axis);
      if (random() % 3 == 0) view = view.slice(axis, Slice{0, view.extent(axis), 2});
      if (random() % 3 == 0) view = view.slice(axis, Slice{0, 1}).broadcast_to(view.extents());
    }
    if (random() % 2 == 0) view = view.transposed();
    const auto copy = view.to_col_major();
    REQUIRE(std::ranges::equal(copy.extents(), view.extents()));
    std::vector<std::int64_t> index(rank, 0);
    for (std::int64_t element = 0; element < copy.element_count(); ++element) {
      CHECK(*copy.get(index) == *view.get(index));
      for (std::size_t axis = 0; axis < rank; ++axis) {
        if (++index[axis] < copy.extent(static_cast<std::int64_t>(axis))) break;
        index[axis] = 0;
      }
    }
  }
}

TEST_CASE("to_col_major: works at ranks 24 and 64") {
  for (const std::size_t rank : {24u, 64u}) {
    std::vector<std::int64_t> extents(rank, 1);
    extents[0] = 2;
    extents[rank / 2] = 3;
    extents[rank - 1] = 2;
    auto tensor = HostTensor<std::int32_t>::zeros(extents);
    std::iota(tensor.host_data_mut().begin(), tensor.host_data_mut().end(), 0);
    const auto copy = tensor.as_view().transposed().to_col_major();
    CHECK(copy.rank() == static_cast<std::int64_t>(rank));
    CHECK(copy.to_vec_col_major() == std::vector<std::int32_t>{0, 6, 2, 8, 4, 10, 1, 7, 3, 9, 5, 11});
    CHECK(copy.as_view().transposed().to_col_major().to_vec_col_major() == tensor.to_vec_col_major());
    CHECK(tensor.as_view().transposed().to_vec_row_major() == tensor.to_vec_col_major());
  }
}

TEST_CASE("named copies: of provider memory stay in its domain, with a new identity, by one call") {
  FakeProvider provider;
  const auto tensor = counting_in<2>(provider, FakeProvider::device, {2, 3});
  const LedgerScope scope;
  const auto copy = tensor.duplicate();
  CHECK(copy.domain() == tensor.domain());
  CHECK(copy.allocation_id() != tensor.allocation_id());
  CHECK(provider.calls.copy == 1);
  const auto transposed = tensor.as_view().transposed().to_col_major();
  CHECK(provider.calls.copy == 2);
  const auto* const elements = reinterpret_cast<const double*>(
      provider.device_bytes(StateAccess::state(transposed).storage().record()->handle));
  CHECK(std::vector<double>(elements, elements + 6) == std::vector<double>{0, 2, 4, 1, 3, 5});
  CHECK(scope.bytes_copied() == 96);
  CHECK(scope.waits() == 2);
  CHECK(provider.calls.map == 0);
}

TEST_CASE("named copies: a provider that walks no strides refuses a strided view and is named") {
  FakeProvider provider;
  provider.walks_strides = false;
  const auto tensor = counting_in<2>(provider, FakeProvider::device, {2, 3});
  CHECK(tensor.duplicate().element_count() == 6);
  const LedgerScope scope;
  const auto error = caught<TransferError>([&] { return tensor.as_view().transposed().to_col_major(); });
  CHECK(contains(error.what(), "strides"));
  CHECK(error.source() == "test:0/device");
  REQUIRE(error.cause() != nullptr);
  CHECK(contains(error.cause()->what(), "UNIMPLEMENTED"));
  CHECK(provider.live_count() == 1);
  CHECK(scope.bytes_copied() == 0);
}

TEST_CASE("named copies: a provider's failure is a ProviderError and the new memory is given back") {
  FakeProvider provider;
  const auto tensor = counting_in<2>(provider, FakeProvider::device, {2, 3});
  provider.lies.copy_code = TENURE_DATA_LOSS;
  CHECK(caught<ProviderError>([&] { return tensor.duplicate(); }).status_code() == TENURE_DATA_LOSS);
  CHECK(provider.live_count() == 1);
}

TEST_CASE("named copies: a write map excludes copies from and into the memory, read maps those into it") {
  FakeProvider provider;
  auto source = counting_in<1>(provider, FakeProvider::managed, {4});
  auto target = counting_in<1>(provider, FakeProvider::managed, {4});
  {
    const StorageMap writing = mapped(source, MapAccess::write);
    CHECK(caught<AccessError>([&] { return source.duplicate(); }).kind() == AccessError::Kind::mapped);
  }
  const auto reading = source.map_read();
  CHECK(source.duplicate().element_count() == 4);
  const StorageMap target_reading = mapped(target, MapAccess::read);
  CHECK(caught<AccessError>([&] {
          copy_into(source.as_view(), target.as_view_mut());
          return 0;
        }).kind() == AccessError::Kind::mapped);
  CHECK(provider.calls.copy == 1);
}

TEST_CASE("named copies: of no elements touch nothing and are still counted") {
  FakeProvider provider;
  const auto none = counting_in<2>(provider, FakeProvider::device, {0, 3});
  const LedgerScope scope;
  CHECK(none.duplicate().element_count() == 0);
  CHECK(none.as_view().transposed().to_col_major().extent(0) == 3);
  CHECK(none.to_vec_col_major().empty());
  CHECK(scope.copies() == 3);
  CHECK(scope.bytes_copied() == 0);
  CHECK(provider.calls.copy == 0);
  CHECK(provider.calls.create == 0);
}

TEST_CASE("views: no transform, conversion or map copies a byte") {
  auto tensor = HostTensor<double, 2>::zeros({4, 6});
  const LedgerScope scope;
  {
    const auto view = tensor.as_view();
    CHECK(view.permute({1, 0}).flip(0).slice(1, Slice{1, 3}).select(0, 2).insert_axis(0).rank() == 2);
    CHECK(view.reshape({2, 12}).as_complex().as_real().as_dynamic().as_typed<double>().rank() == 2);
    CHECK(view.slice(0, Slice{0, 1}).broadcast_to({9, 6}).element_count() == 54);
  }
  CHECK(tensor.as_view_mut().reborrow().transposed().as_read().rank() == 2);
  CHECK(tensor.map_read().host_data().size() == 24);
  CHECK(tensor.map_write().host_data().size() == 24);
  CHECK(scope.bytes_copied() == 0);
  CHECK(scope.copies() == 0);
  CHECK(scope.owners_created() == 0);
}

TEST_CASE("duplicate: of a host tensor is refused when the copy must be mapped, and the copy is given back") {
  FakeProvider provider;
  const auto tensor = counting_in<1>(provider, FakeProvider::coherent, {4}).into_host();
  CHECK(tensor.duplicate()(3) == 3.0);
  provider.lies.null_address = true;
  const auto error = caught<AccessError>([&] { return tensor.duplicate(); });
  CHECK(error.kind() == AccessError::Kind::not_host_accessible);
  CHECK(error.operation() == "duplicate");
  CHECK(provider.live_count() == 1);
}

TEST_CASE("named copies: memory that is short is an error of the copy that was asked for") {
  FakeProvider provider;
  const auto tensor = counting_in<2>(provider, FakeProvider::managed, {2, 3});
  provider.lies.create_code = TENURE_RESOURCE_EXHAUSTED;
  CHECK(caught<OutOfMemory>([&] { return tensor.duplicate(); }).operation() == "duplicate");
  CHECK(caught<OutOfMemory>([&] { return tensor.as_view().to_col_major(); }).operation() == "to_col_major");
}

#if !defined(__SANITIZE_ADDRESS__)  // which ends the process that asks for so much
TEST_CASE("named copies: a vector that no memory holds is OutOfMemory as well") {
  const auto one = HostTensor<double, 1>::filled({1}, 2.0);
  const std::int64_t count = std::int64_t{1} << 59;
  try {
    one.as_view().broadcast_to({count}).to_vec_col_major();
    FAIL("expected OutOfMemory");
  } catch (const OutOfMemory& error) {
    CHECK(error.bytes() == std::size_t{1} << 62);
    CHECK(error.domain() == "host");
  }
  CHECK_THROWS_AS(one.as_view().broadcast_to({count * 8}).to_vec_row_major(), ValidationError);
}
#endif
