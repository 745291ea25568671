// SPDX-License-Identifier: Apache-2.0
#include "tenure/tensor/uninitialized_tensor.hpp"

#include <doctest/doctest.h>

#include "support/caught.hpp"
#include "support/fake_provider.hpp"
#include "tenure/base/empty_owner.hpp"
#include "tenure/base/out_of_memory.hpp"
#include "tenure/base/validation_error.hpp"
#include "tenure/tensor/host_tensor.hpp"

using namespace tenure;
using tenure_test::caught;
using tenure_test::FakeProvider;

TEST_CASE("UninitializedTensor: becomes a tensor of the same bytes once it is written") {
  auto uninitialized = UninitializedTensor::on_host(i64, {2, 2});
  CHECK(uninitialized.dtype() == i64);
  CHECK(uninitialized.element_count() == 4);
  const void* address = nullptr;
  {
    const auto view = uninitialized.as_view_mut().as_typed<std::int64_t, 2>();
    for (std::int64_t i = 0; i < 4; ++i) view(i % 2, i / 2) = i;
    address = view.host_data().data();
  }
  const auto tensor = std::move(uninitialized).assume_written().into_host<std::int64_t, 2>();  // by the loop
  CHECK(uninitialized.empty());
  CHECK(tensor.host_data().data() == address);
  CHECK(tensor(1, 1) == 3);
  CHECK_THROWS_AS(std::move(uninitialized).assume_written(), EmptyOwner);
}

TEST_CASE("UninitializedTensor: an unfinished output gives its block back to the pool") {
  FakeProvider provider(FakeProvider::Pools::recycling);
  const Pool pool(provider.domain(FakeProvider::pageable));
  { const auto unfinished = UninitializedTensor::in(pool, f64, {64, 64}); }
  CHECK(pool.statistics().buffers == 1);
  CHECK(pool.statistics().capacity_bytes == 32768);
}

TEST_CASE("UninitializedTensor: a dropped tensor's block is what the next output gets, a live one's is not") {
  FakeProvider provider(FakeProvider::Pools::recycling);
  const Pool pool(provider.domain(FakeProvider::pageable));
  const auto make = [&] { return UninitializedTensor::in(pool, f64, {64, 64}).assume_written(); };
  const auto address = [](const Tensor& tensor) { return StateAccess::state(tensor).storage().address(); };
  const std::byte* first = nullptr;
  {
    const Tensor tensor = make();
    first = address(tensor);
  }
  const Tensor second = make();
  const Tensor third = make();
  CHECK(address(second) == first);
  CHECK(address(third) != first);
}

TEST_CASE("UninitializedTensor: lives in the domain that it was asked for, aligned for its elements") {
  FakeProvider provider;
  const auto tensor = UninitializedTensor::in(provider.domain(FakeProvider::device), complex128, {3});
  CHECK(tensor.domain() == provider.domain(FakeProvider::device));
  CHECK(tensor.bytes() == 48);
}

TEST_CASE("UninitializedTensor: no elements cause no call, bad shapes and missing memory are errors") {
  FakeProvider provider;
  const AllocationDomain domain = provider.domain(FakeProvider::managed);
  CHECK(UninitializedTensor::in(domain, f64, {3, 0}).assume_written().element_count() == 0);
  CHECK(caught<ValidationError>([&] {
          return UninitializedTensor::in(domain, f64, {-1});
        }).get_if<NegativeExtent>() != nullptr);
  CHECK(provider.calls.create == 0);
  provider.lies.create_code = TENURE_RESOURCE_EXHAUSTED;
  const auto error = caught<OutOfMemory>([&] { return UninitializedTensor::in(domain, f64, {4}); });
  CHECK(error.bytes() == 32);
  CHECK(error.operation() == "UninitializedTensor::in");
  const Pool pool(domain);
  CHECK(caught<OutOfMemory>([&] { return UninitializedTensor::in(pool, f64, {4}); }).operation() ==
        "UninitializedTensor::in");
  CHECK(caught<OutOfMemory>([&] { return UninitializedTensor::in("matmul", pool, f64, {4}); }).operation() ==
        "matmul");
}
