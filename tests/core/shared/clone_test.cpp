// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <numeric>
#include <random>

#include "core/layout/random_layout.hpp"
#include "core/shared/shared_values.hpp"
#include "core/tensor/placed_tensor.hpp"
#include "support/caught.hpp"
#include "tenure/base/out_of_memory.hpp"
#include "tenure/base/validation_error.hpp"
#include "tenure/memory/ledger.hpp"
#include "tenure/tensor/host_tensor.hpp"

using namespace tenure;
using tenure_test::caught;
using tenure_test::counting_in;
using tenure_test::FakeProvider;
using tenure_test::numbers;
using tenure_test::share;
using tenure_test::values_of;
using tenure_test::write_at;

namespace {

SharedTensor counting(AxisValues extents) {
  auto tensor = HostTensor<double>::zeros(extents);
  std::iota(tensor.host_data_mut().begin(), tensor.host_data_mut().end(), 0.0);
  return SharedTensor::from(std::move(tensor).into_dynamic());
}

}  // namespace

TEST_CASE("clone: is exactly one named copy of exactly the elements") {
  const SharedTensor tensor = share({2, 3}, {1, 4, 2, 5, 3, 6});
  const LedgerScope scope;
  const SharedTensor whole = tensor.clone();
  CHECK(scope.copies() == 1);
  CHECK(scope.bytes_copied() == 48);
  CHECK(scope.owners_created() == 1);
  const SharedTensor row = tensor.select(0, 1).clone();
  CHECK(scope.copies() == 2);
  CHECK(scope.bytes_copied() == 72);
  CHECK(row.offset() == 0);
  CHECK(values_of(row) == std::vector<double>{4, 5, 6});
  CHECK_FALSE(row.is_view());
}

TEST_CASE("clone: starts at version 0 whatever the source's version is") {
  SharedTensor tensor = share({1}, {1});
  write_at(tensor, {0}, 2);
  const SharedTensor clone = tensor.clone();
  CHECK(clone.version() == 0);
  CHECK(tensor.version() == 1);
}

TEST_CASE("clone: keeps a dense permuted layout") {
  const SharedTensor turned = counting({2, 3, 4}).permute({2, 0, 1});
  const SharedTensor clone = turned.clone();
  CHECK(numbers(clone.strides()) == numbers(turned.strides()));
  CHECK(values_of(clone) == values_of(turned));
  const SharedTensor flipped = counting({2, 3}).flip(1).transposed();
  CHECK(flipped.clone().layout() == flipped.layout());
  CHECK(values_of(flipped.clone()) == values_of(flipped));
  const SharedTensor tail = counting({5}).slice(0, Slice{2, {}});
  CHECK(tail.clone().offset() == 0);
}

TEST_CASE("clone: of a layout that is not dense is row-major") {
  const SharedTensor tensor = counting({4, 6});
  const SharedTensor holes = tensor.slice(0, Slice{{}, {}, 2});
  const SharedTensor windows = tensor.as_strided({3, 2}, {1, 1});
  const SharedTensor repeated = tensor.slice(0, Slice{0, 1}).broadcast_to({3, 6});
  for (const SharedTensor* source : {&holes, &windows, &repeated}) {
    const SharedTensor clone = source->clone();
    CHECK(clone.layout() == Layout::row_major(source->extents()));
    CHECK(values_of(clone) == values_of(*source));
  }
}

TEST_CASE("clone: gives each format that is asked for") {
  const SharedTensor image = counting({2, 3, 4, 5});
  CHECK(image.clone(MemoryFormat::row_major).layout().is_row_major());
  CHECK(image.clone(MemoryFormat::column_major).layout().is_column_major());
  CHECK(image.transposed().clone(MemoryFormat::column_major).layout().is_column_major());
  const SharedTensor last = image.clone(MemoryFormat::channels_last);
  CHECK(numbers(last.strides()) == std::vector<std::int64_t>{60, 1, 15, 3});
  CHECK(values_of(last) == values_of(image));
  CHECK(last.clone().layout() == last.layout());
  CHECK(last.clone(MemoryFormat::row_major).layout().is_row_major());
  const SharedTensor volume = counting({2, 3, 2, 2, 2}).clone(MemoryFormat::channels_last);
  CHECK(numbers(volume.strides()) == std::vector<std::int64_t>{24, 1, 12, 6, 3});
}

TEST_CASE("clone: channels last is refused at other ranks than 4 and 5") {
  for (const std::vector<std::int64_t>& extents :
       {std::vector<std::int64_t>{}, {2, 3, 4}, {1, 2, 1, 2, 1, 2}}) {
    const SharedTensor tensor = counting(extents);
    const LedgerScope scope;
    const auto error = caught<ValidationError>([&] { return tensor.clone(MemoryFormat::channels_last); });
    REQUIRE(error.get_if<InvalidArgument>() != nullptr);
    CHECK(error.operation() == "channels_last");
    CHECK(scope.owners_created() == 0);
  }
  CHECK_THROWS_AS(counting({2}).clone(static_cast<MemoryFormat>(9)), ValidationError);
}

TEST_CASE("clone: in any format any reading of a storage keeps its elements") {
  tenure_test::Random random(5);
  const SharedTensor storage = counting({256});
  for (int round = 0; round < 300; ++round) {
    const std::int64_t rank = tenure_test::uniform(random, 0, 5);
    const auto extents = tenure_test::random_numbers(random, rank, 1, 3);
    const auto strides = tenure_test::random_numbers(random, rank, -10, 10);
    const SharedTensor source = storage.as_strided(extents, strides, 128);
    for (const MemoryFormat format : {MemoryFormat::preserve, MemoryFormat::row_major,
                                      MemoryFormat::column_major, MemoryFormat::channels_last}) {
      if (format == MemoryFormat::channels_last && rank < 4) continue;
      const SharedTensor clone = source.clone(format);
      CHECK(values_of(clone) == values_of(source));
      CHECK(clone.layout().is_dense());
      CHECK(numbers(clone.extents()) == extents);
    }
  }
}

TEST_CASE("clone: of provider memory stays in its domain, by one copy of the provider") {
  FakeProvider provider;
  const SharedTensor tensor =
      SharedTensor::from(counting_in<2>(provider, FakeProvider::managed, {2, 3}).into_dynamic());
  CHECK(tensor.domain().has_value());
  const int copies = provider.calls.copy;
  const SharedTensor clone = tensor.transposed().clone(MemoryFormat::row_major);
  CHECK(provider.calls.copy == copies + 1);
  CHECK(clone.domain() == tensor.domain());
  CHECK(clone.allocation_id() != tensor.allocation_id());
  const auto guard = clone.read();
  const auto mapped = guard.view().map_read();
  CHECK(mapped.view().as_typed<double>().at(2, 1) == 5.0);
}

TEST_CASE("clone: memory that is short is an error of the clone and changes nothing") {
  FakeProvider provider;
  SharedTensor tensor =
      SharedTensor::from(counting_in<1>(provider, FakeProvider::managed, {4}).into_dynamic());
  provider.lies.create_code = TENURE_RESOURCE_EXHAUSTED;
  CHECK(caught<OutOfMemory>([&] { return tensor.clone(); }).operation() == "clone");
  CHECK(tensor.version() == 0);
  tensor.write().publish();  // the guard of the clone has ended
}
