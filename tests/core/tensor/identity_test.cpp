// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "core/tensor/placed_tensor.hpp"
#include "tenure/tensor/allocation_group.hpp"
#include "tenure/tensor/host_tensor.hpp"

using namespace tenure;
using tenure_test::counting_in;
using tenure_test::FakeProvider;

namespace {

template <class T>
void check_plain(const T& tensor) {
  CHECK_FALSE(tensor.domain().has_value());
  CHECK_FALSE(tensor.allocation_id().has_value());
  CHECK(tensor.placement() == Placement{});
}

}  // namespace

TEST_CASE("identity: a host tensor shows no domain, no id and is unpinned host, however it was made") {
  check_plain(HostTensor<double, 1>::zeros({3}));
  check_plain(Tensor::from_vec_col_major({3}, std::vector<float>(3)));
  double values[3] = {};
  check_plain(Tensor::from_data_ptr(f64, {3}, DataPtr({.data = values}), sizeof(values)));
  auto group = AllocationGroup::from_tensor(HostTensor<double, 1>::zeros({3}));
  check_plain(group.read_view(group.slots()[0]));
  check_plain(group.take_tensor(group.slots()[0]));
  check_plain(AllocationGroup::from_tensor(Tensor::zeros(f64, {3})).demote<double, 1>());
  FakeProvider provider(FakeProvider::Pools::recycling);
  const Pool pool(provider.domain(FakeProvider::pageable));
  const auto pooled = UninitializedTensor::in(pool, f64, {3}).assume_written();
  check_plain(pooled);
  check_plain(pooled.as_view());
}

TEST_CASE("identity: provider memory shows domain, id and placement, and every view of it the same") {
  FakeProvider provider;
  auto tensor = counting_in<2>(provider, FakeProvider::managed, {2, 3});
  CHECK(tensor.domain() == provider.domain(FakeProvider::managed));
  REQUIRE(tensor.allocation_id().has_value());
  CHECK(tensor.placement().memory == MemoryKind::managed);
  const auto check_same = [&](const auto& view) {
    CHECK(view.domain() == tensor.domain());
    CHECK(view.allocation_id() == tensor.allocation_id());
    CHECK(view.placement() == tensor.placement());
  };
  check_same(tensor.as_view());
  check_same(tensor.as_view().transposed().select(0, 1));
  check_same(tensor.as_view().slice(0, Slice{1, 2}).as_dynamic());
  check_same(tensor.as_view_mut().reborrow().reshape({6}));
  check_same(tensor.as_view_mut().as_read());
  check_same(tensor.map_read().view());
}

TEST_CASE("identity: two tensors of one domain have different ids") {
  FakeProvider provider;
  const auto first = counting_in<1>(provider, FakeProvider::device, {3});
  const auto second = counting_in<1>(provider, FakeProvider::device, {3});
  CHECK(first.domain() == second.domain());
  CHECK(first.allocation_id() != second.allocation_id());
}

TEST_CASE("identity: survives promotion, every reading in a group, extraction and demotion") {
  FakeProvider provider;
  auto tensor = counting_in<1>(provider, FakeProvider::coherent, {6});
  const auto id = tensor.allocation_id();
  const auto domain = tensor.domain();
  auto group = AllocationGroup::from_tensor(std::move(tensor));
  const DescriptorSlot slot = group.slots()[0];
  const DescriptorSlot alias = group.add_descriptor(slot, i64, Layout::column_major({2}), 16);
  CHECK(group.read_view(slot).allocation_id() == id);
  CHECK(group.view_mut(alias).allocation_id() == id);
  group.remove_descriptor(alias);
  Tensor taken = group.take_tensor(slot);
  CHECK(taken.allocation_id() == id);
  CHECK(taken.domain() == domain);
  const auto demoted = AllocationGroup::from_tensor(std::move(taken)).demote<double, 1>();
  CHECK(demoted.allocation_id() == id);
  CHECK(demoted.domain() == domain);
}

TEST_CASE("identity: survives moves and conversions of the owner") {
  FakeProvider provider;
  auto tensor = counting_in<1>(provider, FakeProvider::device, {3});
  const auto id = tensor.allocation_id();
  const Tensor dynamic = std::move(tensor).into_rank<dynamic_rank>().into_dynamic();
  CHECK(dynamic.allocation_id() == id);
}
