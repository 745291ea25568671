// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "core/tensor/placed_tensor.hpp"
#include "support/caught.hpp"
#include "tenure/base/access_error.hpp"
#include "tenure/base/validation_error.hpp"
#include "tenure/memory/ledger.hpp"
#include "tenure/tensor/allocation_group.hpp"

using namespace tenure;
using tenure_test::caught;
using tenure_test::contains;
using tenure_test::counting_in;
using tenure_test::FakeProvider;

namespace {

HostTensor<double, 1> counting(std::int64_t count) {
  std::vector<double> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
  return HostTensor<double, 1>::from_vec_col_major({count}, std::move(values));
}

template <class Detail>
bool refused_as(AllocationGroup& group, DescriptorSlot slot) {
  const GroupError error = caught<GroupError>([&] { return group.take_tensor(slot); });
  return error.get_if<Detail>() != nullptr;
}

}  // namespace

TEST_CASE("take_tensor: the tensor keeps its buffer, and a second take finds the slot vacant") {
  auto a = counting(3);
  auto b = counting(2);
  const double* const data = b.host_data().data();
  auto group = AllocationGroup::from_tensors(std::move(a), std::move(b));
  const auto slots = group.slots();
  const LedgerScope scope;
  TypedTensor<double> taken = group.take_tensor<double>(slots[1]);
  CHECK(taken.host_data().data() == data);
  CHECK(group.allocation_count() == 1);
  CHECK(group.descriptor_count() == 1);
  CHECK(group.slots() == std::vector{slots[0]});
  CHECK(std::move(taken).into_host().into_vec_col_major().data() == data);
  CHECK(scope.bytes_copied() == 0);
  CHECK(scope.owners_created() == 0);
  const auto error = caught<GroupError>([&] { return group.take_tensor<double>(slots[1]); });
  CHECK(error.operation() == "take_tensor");
  REQUIRE(error.get_if<GroupError::VacantSlot>() != nullptr);
  CHECK(error.get_if<GroupError::VacantSlot>()->slot == slots[1]);
  CHECK(group.read_view<double, 1>(slots[0])(2) == 2.0);
}

TEST_CASE("slots: vacant until the place is used again, then stale, and foreign in every other group") {
  auto group = AllocationGroup::from_tensor(counting(3));
  const DescriptorSlot first = group.slots()[0];
  static_cast<void>(group.take_tensor(first));
  CHECK(refused_as<GroupError::VacantSlot>(group, first));
  const DescriptorSlot second = group.append_tensor(counting(4));
  CHECK(second.index == first.index);
  CHECK(refused_as<GroupError::StaleSlot>(group, first));
  const AllocationGroup other;
  const auto foreign = caught<GroupError>([&] { return other.read_view(second); });
  REQUIRE(foreign.get_if<GroupError::ForeignSlot>() != nullptr);
  CHECK(foreign.get_if<GroupError::ForeignSlot>()->slot == second);
  CHECK(refused_as<GroupError::ForeignSlot>(group, DescriptorSlot{}));
  CHECK(group.extents(second)[0] == 4);
}

TEST_CASE("slots: group tags are never used again") {
  DescriptorSlot slot;
  {
    const auto group = AllocationGroup::from_tensor(counting(1));
    slot = group.slots()[0];
  }
  auto other = AllocationGroup::from_tensor(counting(1));
  CHECK(other.slots()[0].group_tag > slot.group_tag);
  CHECK(refused_as<GroupError::ForeignSlot>(other, slot));
}

TEST_CASE("take_tensor: of another dtype or rank is refused, and the tensor stays") {
  auto group = AllocationGroup::from_tensor(counting(3));
  const DescriptorSlot slot = group.slots()[0];
  CHECK(caught<ValidationError>([&] { return group.take_tensor<float>(slot); }).get_if<DTypeMismatch>() !=
        nullptr);
  CHECK(caught<ValidationError>([&] { return group.take_tensor<double, 2>(slot); }).get_if<RankMismatch>() !=
        nullptr);
  CHECK(group.take_tensor<double, 1>(slot).extent(0) == 3);
}

TEST_CASE("take_tensor: an aliased allocation is refused with the other slots, until they are removed") {
  auto group = AllocationGroup::from_tensor(counting(3));
  const DescriptorSlot slot = group.slots()[0];
  const auto alias = group.add_descriptor(slot, f64, Layout::column_major({3}));
  const auto part = group.add_descriptor(slot, f64, Layout::column_major({1}));
  const auto error = caught<GroupError>([&] { return group.take_tensor(slot); });
  REQUIRE(error.get_if<GroupError::AliasedAllocation>() != nullptr);
  CHECK(error.get_if<GroupError::AliasedAllocation>()->slot == slot);
  CHECK(error.get_if<GroupError::AliasedAllocation>()->others == std::vector{alias, part});
  group.remove_descriptor(part);
  group.remove_descriptor(slot);
  CHECK(refused_as<GroupError::VacantSlot>(group, slot));
  CHECK(group.take_tensor<double, 1>(alias)(2) == 2.0);
  CHECK(group.allocation_count() == 0);
}

TEST_CASE("take_tensor: what is not compact from the first byte to the last names the copies that would do") {
  auto group = AllocationGroup::from_tensor(counting(6));
  const DescriptorSlot slot = group.slots()[0];
  const auto obstacle_of = [&](const Layout& layout, std::string_view copy) {
    group.update_layout(slot, layout);
    const auto error = caught<GroupError>([&] { return group.take_tensor(slot); });
    const auto* const detail = error.get_if<GroupError::NotExtractable>();
    REQUIRE(detail != nullptr);
    CHECK(detail->slot == slot);
    CHECK(detail->copies == std::vector{copy});
    CHECK(contains(error.message(), copy));
    return detail->obstacle;
  };
  using Obstacle = GroupError::Obstacle;
  CHECK(obstacle_of(Layout::row_major({2, 3}), "to_col_major") == Obstacle::not_compact);
  CHECK(obstacle_of(Layout::strided({6}, {-1}, 5), "to_col_major") == Obstacle::not_compact);
  CHECK(obstacle_of(Layout::strided({5}, {1}, 1), "duplicate") == Obstacle::offset);
  CHECK(obstacle_of(Layout::column_major({5}), "duplicate") == Obstacle::not_full_span);
  CHECK(group.read_view(slot).duplicate().extents()[0] == 5);
  group.update_layout(slot, Layout::column_major({3, 2}));
  CHECK(group.take_tensor<double, 2>(slot)(2, 1) == 5.0);
}

TEST_CASE("take_tensor: of device memory a download would do too") {
  FakeProvider provider;
  auto group = AllocationGroup::from_tensor(counting_in<1>(provider, FakeProvider::device, {4}));
  const DescriptorSlot slot = group.slots()[0];
  group.update_layout(slot, Layout::column_major({2}));
  const auto error = caught<GroupError>([&] { return group.take_tensor(slot); });
  CHECK(error.get_if<GroupError::NotExtractable>()->copies ==
        std::vector<std::string_view>{"duplicate", "download"});
  group.update_layout(slot, Layout::column_major({4}));
  const auto id = group.read_view(slot).allocation_id();
  const Tensor taken = group.take_tensor(slot);
  CHECK(taken.allocation_id() == id);
  CHECK(taken.placement().memory == MemoryKind::device);
  CHECK(provider.calls.copy == 0);
}

TEST_CASE("into_tensor: gives the tensor and what is left, whose slots stay valid") {
  auto group = AllocationGroup::from_tensors(counting(3), counting(2), counting(1));
  const auto slots = group.slots();
  const auto alias = group.add_descriptor(slots[2], f64, Layout::column_major({1}));
  CHECK(caught<GroupError>([&] {
          return std::move(group).into_tensor(slots[2]);
        }).get_if<GroupError::AliasedAllocation>() != nullptr);
  CHECK(group.descriptor_count() == 4);
  auto [tensor, remainder] = std::move(group).into_tensor<double, 1>(slots[1]);
  CHECK(group.empty());
  CHECK(tensor(1) == 1.0);
  CHECK(remainder.slots() == std::vector{slots[0], slots[2], alias});
  auto [last, rest] = std::move(remainder).into_tensor(slots[0]);
  CHECK(last.extent(0) == 3);
  CHECK(rest.allocation_count() == 1);
}

TEST_CASE("promotion and demotion: the same buffer there and back, and still the vector that it was") {
  auto host = counting(4);
  const double* const data = host.host_data().data();
  const LedgerScope scope;
  auto group = AllocationGroup::from_tensor(std::move(host));
  CHECK(group.read_view<double>(group.slots()[0]).host_data().data() == data);
  HostTensor<double, 1> demoted = std::move(group).demote<double, 1>();
  CHECK(group.empty());
  CHECK(std::move(demoted).into_vec_col_major().data() == data);
  CHECK(scope.bytes_copied() == 0);
  CHECK(scope.owners_created() == 0);
}

TEST_CASE("demotion: a group of several, another dtype and memory off the host are refused and stay") {
  auto group = AllocationGroup::from_tensors(counting(4), counting(2));
  const auto several = caught<GroupError>([&] { return std::move(group).demote<double>(); });
  REQUIRE(several.get_if<GroupError::NotOneEntry>() != nullptr);
  CHECK(several.get_if<GroupError::NotOneEntry>()->allocation_count == 2);
  static_cast<void>(group.take_tensor(group.slots()[1]));
  const auto alias = group.add_descriptor(group.slots()[0], f64, Layout());
  CHECK(caught<GroupError>([&] { return std::move(group).demote<double>(); })
            .get_if<GroupError::NotOneEntry>()
            ->descriptor_count == 2);
  group.remove_descriptor(alias);
  CHECK(caught<ValidationError>([&] { return std::move(group).demote<float>(); }).get_if<DTypeMismatch>() !=
        nullptr);
  CHECK(std::move(group).demote<double>().element_count() == 4);

  FakeProvider provider;
  auto device = AllocationGroup::from_tensor(counting_in<1>(provider, FakeProvider::device, {4}));
  CHECK(caught<AccessError>([&] { return std::move(device).demote<double>(); }).kind() ==
        AccessError::Kind::not_host_accessible);
  CHECK(device.descriptor_count() == 1);
}

TEST_CASE("append: takes all that the other group has, maps its slots and keeps this group's") {
  auto group = AllocationGroup::from_tensors(counting(3), counting(2));
  const auto kept = group.slots();
  static_cast<void>(group.take_tensor(kept[0]));
  auto source = AllocationGroup::from_tensors(counting(5), counting(6), counting(7));
  const auto old = source.slots();
  const auto part = source.add_descriptor(old[2], f64, Layout::column_major({2}), 8);
  static_cast<void>(source.take_tensor(old[1]));
  const double* const data = source.read_view<double>(old[0]).host_data().data();
  const LedgerScope scope;
  const auto mapped = group.append(std::move(source));
  CHECK(source.empty());
  REQUIRE(mapped.size() == 3);  // those of old[0], old[2] and part
  CHECK(group.read_view<double>(mapped[0]).host_data().data() == data);
  CHECK(group.extents(mapped[1])[0] == 7);
  CHECK(group.read_view<double, 1>(mapped[2])(0) == 1.0);
  CHECK(group.is_aliased(mapped[1]));
  CHECK(group.allocation_count() == 3);
  CHECK(group.read_view<double, 1>(kept[1])(1) == 1.0);
  CHECK(refused_as<GroupError::StaleSlot>(group, kept[0]));  // its place was used again
  CHECK(refused_as<GroupError::ForeignSlot>(group, old[0]));
  CHECK(refused_as<GroupError::ForeignSlot>(group, part));
  CHECK(scope.bytes_copied() == 0);
  CHECK(caught<ValidationError>([&] { return group.append(std::move(group)); }).get_if<InvalidArgument>() !=
        nullptr);
  CHECK(group.descriptor_count() == 4);
}

TEST_CASE("compact: live slots stay valid, vacant ones become stale, and places are used again") {
  std::vector<Tensor> tensors;
  for (std::int64_t count = 0; count < 6; ++count) tensors.push_back(Tensor::zeros(f64, {count}));
  auto group = AllocationGroup::from_tensors(std::move(tensors));
  const auto slots = group.slots();
  for (const std::size_t gone : {0u, 2u, 4u, 5u}) static_cast<void>(group.take_tensor(slots[gone]));
  const LedgerScope scope;
  group.compact();
  CHECK(scope.bytes_copied() == 0);
  CHECK(group.slots() == std::vector{slots[1], slots[3]});
  CHECK(group.allocation_count() == 2);
  CHECK(group.extents(slots[3])[0] == 3);
  for (const std::size_t gone : {0u, 2u, 4u, 5u})
    CHECK(refused_as<GroupError::StaleSlot>(group, slots[gone]));
  for (std::int64_t count = 10; count < 14; ++count) {
    const DescriptorSlot slot = group.append_tensor(Tensor::zeros(f64, {count}));
    CHECK(group.extents(slot)[0] == count);
  }
  CHECK(group.slots().back().index == 5);
  for (const std::size_t gone : {0u, 2u, 4u, 5u})
    CHECK(refused_as<GroupError::StaleSlot>(group, slots[gone]));
  CHECK(group.take_tensor(slots[1]).extents()[0] == 1);
}

TEST_CASE("remove_descriptor: the last one of an allocation gives the allocation back") {
  FakeProvider provider;
  auto group = AllocationGroup::from_tensor(counting_in<1>(provider, FakeProvider::device, {4}));
  const DescriptorSlot slot = group.slots()[0];
  const auto alias = group.add_descriptor(slot, f32, Layout::column_major({8}));
  group.remove_descriptor(slot);
  CHECK(provider.live_count() == 1);
  group.remove_descriptor(alias);
  CHECK(provider.live_count() == 0);
  CHECK(group.allocation_count() == 0);
}

TEST_CASE("pools: a block that went through groups goes back to the same pool, once") {
  FakeProvider provider(FakeProvider::Pools::recycling);
  const Pool pool(provider.domain(FakeProvider::pageable));
  const auto pooled = [&] {
    return UninitializedTensor::in(pool, f64, {512})
        .assume_written()
        .into_host<double, 1>();  // nobody reads it
  };
  {
    auto first = AllocationGroup::from_tensor(pooled());
    auto second = AllocationGroup::from_tensors(pooled(), counting(2));
    const auto mapped = first.append(std::move(second));
    const Tensor taken = first.take_tensor(mapped[0]).into_bits(f32);
    first.compact();
    CHECK(pool.statistics().buffers == 0);
    CHECK_FALSE(taken.domain().has_value());
  }
  CHECK(pool.statistics().buffers == 2);
  {
    auto promoted = AllocationGroup::from_tensor(pooled());
    const auto demoted = std::move(promoted).demote<double, 1>();
    CHECK(pool.statistics().buffers == 1);
  }
  CHECK(pool.statistics().buffers == 2);
  CHECK(provider.calls.detach == 0);
}

TEST_CASE("groups: what gives the old bytes back may look at the group that was assigned to") {
  struct Watcher {
    AllocationGroup group;
    double value = 1;
    std::size_t slots_seen = 0;
    double value_seen = 0;
  };
  Watcher watcher;
  const auto look = [](void* context) noexcept {
    auto& self = *static_cast<Watcher*>(context);
    self.slots_seen = self.group.slots().size();
    self.value_seen = self.group.read_view<double, 1>(self.group.slots()[1]).at(0);
  };
  watcher.group = AllocationGroup::from_tensor(HostTensor<double, 1>::from_data_ptr(
      {1}, DataPtr({.data = &watcher.value, .context = &watcher, .deleter = look}), sizeof(double)));

  watcher.group = AllocationGroup::from_tensors(HostTensor<double, 1>::zeros({2}),
                                                HostTensor<double, 1>::filled({2}, 5.0));

  CHECK(watcher.slots_seen == 2);
  CHECK(watcher.value_seen == 5);
}
