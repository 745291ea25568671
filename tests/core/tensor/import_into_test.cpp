// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <array>

#include "support/caught.hpp"
#include "support/fake_provider.hpp"
#include "tenure/base/access_error.hpp"
#include "tenure/base/provider_error.hpp"
#include "tenure/base/validation_error.hpp"
#include "tenure/memory/ledger.hpp"
#include "tenure/tensor/host_tensor.hpp"
#include "tenure/tensor/same_allocation.hpp"

using namespace tenure;
using tenure_test::caught;
using tenure_test::contains;
using tenure_test::FakeProvider;

namespace {

// Doubles 0, 1, 2 ... of the user's, with a count of how often they were given back.
struct Lent {
  alignas(64) std::array<double, 16> values{};
  int releases = 0;

  Lent() {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
  }
  DataPtr pointer(std::size_t from_bytes = 0) {
    const auto count = [](void* context) noexcept { ++*static_cast<int*>(context); };
    return DataPtr({reinterpret_cast<std::byte*>(values.data()) + from_bytes, &releases, count});
  }
};

}  // namespace

TEST_CASE("import_into: memory of the user's becomes a tensor of the domain, in place") {
  FakeProvider provider;
  Lent lent;
  const AllocationDomain domain = provider.domain(FakeProvider::coherent);
  const LedgerScope scope;
  {
    const auto tensor =
        Tensor::import_into(domain, f64, {3, 4}, lent.pointer(), sizeof(lent.values)).into_typed<double, 2>();
    CHECK(tensor.domain() == domain);
    CHECK(tensor.allocation_id().has_value());
    CHECK(tensor.placement().memory == MemoryKind::shared);
    CHECK(tensor.bytes() == 96);
    CHECK(tensor.host_data().data() == lent.values.data());
    CHECK(tensor(2, 3) == 11.0);
    CHECK(tensor.as_view().transposed().allocation_id() == tensor.allocation_id());
  }
  CHECK(lent.releases == 1);
  CHECK(scope.owners_created() == 1);
  CHECK(scope.copies() == 0);
}

TEST_CASE(
    "import_into: memory that must be mapped is read through maps and has the same identity after them") {
  FakeProvider provider;
  Lent lent;
  auto tensor = Tensor::import_into(provider.domain(FakeProvider::managed), f64, {16}, lent.pointer(), 128)
                    .into_typed<double, 1>();
  const auto id = tensor.allocation_id();
  CHECK(tensor.map_read().view()(15) == 15.0);
  tensor.map_write().host_data()[0] = 7.0;
  CHECK(tensor.allocation_id() == id);
  CHECK(lent.values[0] == 7.0);
}

TEST_CASE("import_into: beside a tensor goes into its domain, and beside host memory has none to go into") {
  FakeProvider provider;
  Lent lent;
  const auto first =
      Tensor::import_into(provider.domain(FakeProvider::coherent), f64, {8}, lent.pointer(), 64);
  const auto second = Tensor::import_into(first.domain(), f64, {8}, lent.pointer(64), 64);
  CHECK(second.domain() == first.domain());
  CHECK(second.allocation_id() != first.allocation_id());
  CHECK_FALSE(same_allocation(first, second));
  CHECK(same_allocation(first, first.as_view()));

  Lent other;
  const auto host = HostTensor<double>::zeros({8});
  DataPtr pointer = other.pointer();
  const auto error = caught<ValidationError>(
      [&] { return Tensor::import_into(host.domain(), f64, {8}, std::move(pointer), 64); });
  CHECK(error.operation() == "import_into");
  REQUIRE(error.get_if<MissingAllocationIdentity>() != nullptr);
  CHECK(error.get_if<MissingAllocationIdentity>()->field == "domain");
  CHECK(pointer.data() == other.values.data());
  const auto nameless = caught<ValidationError>([&] {
    return Tensor::import_into(provider.domain(FakeProvider::pageable), f64, {8}, std::move(pointer), 64);
  });
  REQUIRE(nameless.get_if<MissingAllocationIdentity>() != nullptr);
  CHECK(nameless.get_if<MissingAllocationIdentity>()->field == "allocation id");
  CHECK(other.releases == 0);
}

TEST_CASE("import_into: the same memory is imported once at a time, adopting it is no import") {
  FakeProvider provider;
  Lent lent;
  const AllocationDomain domain = provider.domain(FakeProvider::coherent);
  {
    const auto live = Tensor::import_into(domain, f64, {8}, lent.pointer(), 128);
    DataPtr pointer = lent.pointer(56);
    const auto error =
        caught<AccessError>([&] { return Tensor::import_into(domain, f64, {8}, std::move(pointer), 64); });
    CHECK(error.kind() == AccessError::Kind::imported);
    CHECK(error.operation() == "import_into");
    CHECK(pointer.data() != nullptr);
    // What its elements do not need goes with them.
    DataPtr rest = lent.pointer(64);
    CHECK(caught<AccessError>([&] {
            return Tensor::import_into(domain, f64, {8}, std::move(rest), 64);
          }).kind() == AccessError::Kind::imported);
    const auto adopted = HostTensor<double>::from_data_ptr({8}, lent.pointer(), 64);
    CHECK_FALSE(adopted.domain().has_value());
  }
  CHECK(lent.releases == 4);
  CHECK(Tensor::import_into(domain, f64, {16}, lent.pointer(), 128).element_count() == 16);
}

TEST_CASE("import_into: an imported tensor converts, copies and leaves as a vector like any other") {
  FakeProvider provider;
  Lent lent;
  auto tensor =
      Tensor::import_into(provider.domain(FakeProvider::coherent), f64, {4, 4}, lent.pointer(), 128);
  const LedgerScope scope;
  const Tensor copy = tensor.duplicate();
  CHECK(copy.domain() == tensor.domain());
  CHECK(copy.allocation_id() != tensor.allocation_id());
  CHECK(scope.bytes_copied() == 128);
  auto host = std::move(tensor).into_host<double, 2>();
  CHECK(host(3, 3) == 15.0);
  CHECK(caught<AccessError>([&] { return std::move(host).into_vec_col_major(); }).kind() ==
        AccessError::Kind::not_a_vector);
  {
    const BufferVector<double> buffer = std::move(host).into_buffer_vector();
    CHECK(buffer.data() == lent.values.data());
    CHECK(lent.releases == 0);
  }
  CHECK(lent.releases == 1);
  CHECK(scope.copies() == 1);
}

TEST_CASE("import_into: without elements there is no import and no identity") {
  FakeProvider provider;
  Lent lent;
  {
    const auto none =
        Tensor::import_into(provider.domain(FakeProvider::managed), f64, {0, 5}, lent.pointer(), 128);
    CHECK_FALSE(none.allocation_id().has_value());
    CHECK(none.map_read().view().extent(1) == 5);
  }
  CHECK(lent.releases == 1);
  CHECK(provider.calls.import == 0);
}
