// SPDX-License-Identifier: Apache-2.0
#include "tenure/tensor/allocation_group.hpp"

#include <doctest/doctest.h>

#include <complex>
#include <map>

#include "core/tensor/placed_tensor.hpp"
#include "support/caught.hpp"
#include "tenure/base/disjoint_error.hpp"
#include "tenure/base/empty_owner.hpp"
#include "tenure/base/validation_error.hpp"
#include "tenure/memory/ledger.hpp"
#include "tenure/tensor/same_allocation.hpp"

using namespace tenure;
using tenure_test::caught;
using tenure_test::contains;
using tenure_test::counting_in;
using tenure_test::FakeProvider;

namespace {

// Six elements 0, 1 ... 5, and their descriptor.
struct Counting {
  AllocationGroup group =
      AllocationGroup::from_tensor(HostTensor<double, 1>::from_vec_col_major({6}, {0, 1, 2, 3, 4, 5}));
  DescriptorSlot all = group.slots()[0];
};

}  // namespace

TEST_CASE("groups: tensors of all kinds enter in order, without a copy and where they are") {
  auto a = HostTensor<double, 2>::from_vec_col_major({1, 3}, {1, 2, 3});
  auto b = TypedTensor<int>::from_vec_col_major({2}, {4, 5});
  auto c = Tensor::zeros(complex64, {2, 2});
  const double* const data = a.host_data().data();
  const LedgerScope scope;
  const auto group = AllocationGroup::from_tensors(std::move(a), std::move(b), std::move(c));
  CHECK(a.empty());
  CHECK(b.empty());
  CHECK(c.empty());
  CHECK(group.allocation_count() == 3);
  CHECK(group.descriptor_count() == 3);
  const auto slots = group.slots();
  REQUIRE(slots.size() == 3);
  CHECK(group.dtype(slots[0]) == f64);
  CHECK(group.extents(slots[0])[1] == 3);
  CHECK(group.layout(slots[1]) == Layout::column_major({2}));
  CHECK(group.dtype(slots[2]) == complex64);
  CHECK_FALSE(group.is_aliased(slots[2]));
  const auto view = group.read_view<double, 2>(slots[0]);
  CHECK(&view(0, 0) == data);
  CHECK(view(0, 2) == 3.0);
  CHECK(group.read_view(slots[0]).placement() == Placement{});
  CHECK(scope.bytes_copied() == 0);
  CHECK(scope.owners_created() == 0);
}

TEST_CASE("groups: a list of tensors enters too, and a group may start from nothing") {
  std::vector<Tensor> tensors;
  for (std::int64_t count = 0; count < 5; ++count) tensors.push_back(Tensor::zeros(i32, {count}));
  auto group = AllocationGroup::from_tensors(std::move(tensors));
  CHECK(group.extents(group.slots()[4])[0] == 4);
  CHECK(tensors.empty());
  AllocationGroup grown;
  CHECK(grown.slots().empty());
  CHECK_FALSE(grown.empty());
  const DescriptorSlot slot = grown.append_tensor(Tensor::zeros(f32, {2}));
  CHECK(grown.slots() == std::vector{slot});
  CHECK(AllocationGroup::from_tensors().slots().empty());
}

TEST_CASE("groups: a tensor that is empty or named twice leaves all tensors where they were") {
  auto a = HostTensor<double, 1>::filled({2}, 1.0);
  auto b = HostTensor<double, 1>::filled({2}, 2.0);
  auto moved = HostTensor<double, 1>::filled({2}, 3.0);
  const auto other = std::move(moved);
  CHECK(caught<EmptyOwner>([&] {
          return AllocationGroup::from_tensors(std::move(a), std::move(moved));
        }).operation() == "from_tensors");
  const auto twice = caught<ValidationError>(
      [&] { return AllocationGroup::from_tensors(std::move(a), std::move(b), std::move(a)); });
  REQUIRE(twice.get_if<InvalidArgument>() != nullptr);
  CHECK(contains(twice.get_if<InvalidArgument>()->message, "positions 0 and 2"));
  CHECK(a(1) == 1.0);
  CHECK(b(1) == 2.0);
}

TEST_CASE("groups: several descriptors read one allocation, exact duplicates too") {
  Counting counting;
  AllocationGroup& group = counting.group;
  const auto same = group.add_descriptor(counting.all, f64, group.layout(counting.all));
  const auto backwards = group.add_descriptor(counting.all, f64, Layout::strided({6}, {-1}, 5));
  const auto repeated = group.add_descriptor(backwards, f64, Layout::strided({2, 6}, {0, 1}));
  const auto words = group.add_descriptor(counting.all, u32, Layout::column_major({2, 4}), 16);
  CHECK(group.allocation_count() == 1);
  CHECK(group.descriptor_count() == 5);
  CHECK(group.is_aliased(same));
  const auto views = group.read_views({same, backwards, repeated, same});
  REQUIRE(views.size() == 4);
  CHECK(views[1].as_typed<double>().at(0) == 5.0);
  CHECK(views[2].as_typed<double>().at(1, 4) == 4.0);
  CHECK(same_allocation(views[0], views[3]));
  CHECK(group.layout(words).offset() == 4);
  CHECK(group.read_view(words).as_bits<double>().at(0, 1) == 3.0);
}

TEST_CASE("groups: one allocation of bytes holds tensors of several dtypes") {
  auto group = AllocationGroup::from_tensor(Tensor::zeros(u8, {64}));
  const DescriptorSlot bytes = group.slots()[0];
  const auto doubles = group.add_descriptor(bytes, f64, Layout::column_major({2, 2}), 0);
  const auto pairs = group.add_descriptor(bytes, complex64, Layout::column_major({3}), 32);
  group.remove_descriptor(bytes);
  {
    const auto parts = group.split_mut({doubles, pairs});
    parts[0].as_typed<double, 2>()(1, 1) = 2.5;
    parts[1].as_typed<std::complex<float>, 1>()(0) = {1.0f, -1.0f};
  }
  CHECK(group.read_view<double, 2>(doubles)(1, 1) == 2.5);
  CHECK(group.read_view<std::complex<float>>(pairs).host_data()[0].imag() == -1.0f);
  CHECK(group.allocation_count() == 1);
}

TEST_CASE("add_descriptor: what lies outside, is misaligned or reads as bool is refused and adds nothing") {
  Counting counting;
  AllocationGroup& group = counting.group;
  const auto refused = [&](DType dtype, const Layout& layout, std::size_t offset_bytes = 0) {
    const auto error = caught<ValidationError>(
        [&] { return group.add_descriptor(counting.all, dtype, layout, offset_bytes); });
    CHECK(error.operation() == "add_descriptor");
    CHECK(group.descriptor_count() == 1);
    return error;
  };
  const auto past = refused(f64, Layout::column_major({4}), 24);
  REQUIRE(past.get_if<ViewOutOfBounds>() != nullptr);
  CHECK(past.get_if<ViewOutOfBounds>()->highest == 6);
  CHECK(past.get_if<ViewOutOfBounds>()->available == 6);
  CHECK(refused(f64, Layout::strided({2}, {-1})).get_if<ViewOutOfBounds>() != nullptr);
  CHECK(refused(complex128, Layout::column_major({4})).get_if<ViewOutOfBounds>()->available == 3);
  const auto off = refused(i64, Layout::column_major({1}), 4);
  REQUIRE(off.get_if<Misaligned>() != nullptr);
  CHECK(off.get_if<Misaligned>()->required_bytes == 8);
  CHECK(off.get_if<Misaligned>()->actual_bytes == 4);
  CHECK(refused(boolean, Layout::column_major({1})).get_if<UnsupportedReinterpretation>() != nullptr);
  CHECK(refused(i8, Layout::strided({1}, {1}, std::int64_t{1} << 62), std::size_t{1} << 63)
            .get_if<IntegerOverflow>() != nullptr);
  group.add_descriptor(counting.all, i64, Layout::column_major({0, 7}), 4);
  CHECK(group.descriptor_count() == 2);
}

TEST_CASE("add_descriptor: bytes that are no whole number of elements hold the whole ones") {
  auto group = AllocationGroup::from_tensor(Tensor::zeros(u8, {6}));
  const DescriptorSlot bytes = group.slots()[0];
  CHECK(group.extents(group.add_descriptor(bytes, i32, Layout::column_major({1})))[0] == 1);
  const auto error =
      caught<ValidationError>([&] { return group.add_descriptor(bytes, i32, Layout::column_major({2})); });
  REQUIRE(error.get_if<ViewOutOfBounds>() != nullptr);
  CHECK(error.get_if<ViewOutOfBounds>()->available == 1);
  alignas(8) static std::uint8_t unaligned[20] = {};
  const DataPtr::Parts parts{unaligned + 4, nullptr, nullptr};
  auto other = AllocationGroup::from_tensor(Tensor::from_data_ptr(u8, {16}, DataPtr(parts), 16));
  const auto off = caught<ValidationError>(
      [&] { return other.add_descriptor(other.slots()[0], i64, Layout::column_major({1})); });
  REQUIRE(off.get_if<Misaligned>() != nullptr);
  CHECK(off.get_if<Misaligned>()->actual_bytes == 4);
  CHECK(other.descriptor_count() == 1);
}

TEST_CASE("add_descriptor: descriptors of bool stand beside descriptors of bool only") {
  static bool flags[4] = {true, false, true, true};
  auto group = AllocationGroup::from_tensor(
      Tensor::from_data_ptr(boolean, {4}, DataPtr({flags, nullptr, nullptr}), 4));
  const DescriptorSlot all = group.slots()[0];
  const auto odd = group.add_descriptor(all, boolean, Layout::strided({2}, {2}, 1));
  CHECK_FALSE(group.read_view<bool, 1>(odd)(0));
  CHECK(caught<ValidationError>([&] {
          return group.add_descriptor(all, u8, Layout::column_major({4}));
        }).get_if<UnsupportedReinterpretation>() != nullptr);
}

TEST_CASE("views: another dtype or rank is refused") {
  Counting counting;
  CHECK(caught<ValidationError>([&] {
          return counting.group.read_view<float>(counting.all);
        }).get_if<DTypeMismatch>() != nullptr);
  const auto rank = caught<ValidationError>([&] { return counting.group.view_mut<double, 2>(counting.all); });
  CHECK(rank.operation() == "view_mut");
  CHECK(rank.get_if<RankMismatch>()->actual == 1);
}

TEST_CASE("view_mut: writes, and refuses a descriptor that names an element twice") {
  Counting counting;
  AllocationGroup& group = counting.group;
  group.view_mut<double, 1>(counting.all)(2) = -2.0;
  CHECK(group.read_view<double, 1>(counting.all)(2) == -2.0);
  const auto repeated = group.add_descriptor(counting.all, f64, Layout::strided({2, 3}, {0, 1}));
  const auto error = caught<GroupError>([&] { return group.view_mut(repeated); });
  REQUIRE(error.get_if<GroupError::NonInjective>() != nullptr);
  CHECK(error.get_if<GroupError::NonInjective>()->slot == repeated);
  CHECK(error.get_if<GroupError::NonInjective>()->witness.has_value());
  const auto* const cause = dynamic_cast<const ValidationError*>(error.cause().get());
  REQUIRE(cause != nullptr);
  CHECK(cause->get_if<OverlappingMutableLayout>()->witness.has_value());
  CHECK(group.read_view<double, 2>(repeated)(1, 2) == -2.0);
}

TEST_CASE("split_mut: none, one and three, in any order, of one allocation and of several") {
  Counting counting;
  AllocationGroup& group = counting.group;
  const auto even = group.add_descriptor(counting.all, f64, Layout::strided({3}, {2}));
  const auto odd = group.add_descriptor(counting.all, f64, Layout::strided({3}, {-2}, 5));
  const auto none = group.add_descriptor(counting.all, f64, Layout::column_major({0}));
  const auto other = group.append_tensor(HostTensor<double, 1>::zeros({6}));
  const LedgerScope scope;
  CHECK(group.split_mut(std::initializer_list<DescriptorSlot>{}).empty());
  CHECK(group.split_mut({odd}).size() == 1);
  {
    const auto views = group.split_mut({odd, none, other, even});
    views[0].as_typed<double, 1>()(0) = 50.0;
    views[3].as_typed<double, 1>()(0) = 10.0;
    CHECK(views[1].element_count() == 0);
  }
  const auto all = group.read_view<double, 1>(counting.all);
  CHECK(all(5) == 50.0);
  CHECK(all(0) == 10.0);
  CHECK(scope.mappings() == 0);
  CHECK(scope.bytes_copied() == 0);
}

TEST_CASE(
    "split_mut: an overlap, a repeated slot and a repeated element are told apart, and the group stays") {
  Counting counting;
  AllocationGroup& group = counting.group;
  const auto other = group.append_tensor(HostTensor<float, 1>::zeros({1}));
  const auto tail = group.add_descriptor(counting.all, f64, Layout::column_major({2}), 32);
  const auto words = group.add_descriptor(counting.all, u32, Layout::strided({2}, {3}, 6));
  const auto repeated = group.add_descriptor(counting.all, f64, Layout::strided({2}, {0}));

  const auto overlap = caught<DisjointError>([&] { return group.split_mut({other, tail, words}); });
  CHECK(overlap.operation() == "split_mut");
  CHECK(overlap.operands().first == DisjointError::Operand{DisjointError::Role::slot, 1});
  CHECK(overlap.operands().second.number == 2);
  REQUIRE(overlap.witness() != nullptr);
  CHECK(*overlap.witness() == IndexPair{{0}, {1}});  // word 9 is the upper half of element 4

  const auto twice = caught<GroupError>([&] { return group.split_mut({tail, other, tail}); });
  REQUIRE(twice.get_if<GroupError::DuplicateSlot>() != nullptr);
  CHECK(twice.get_if<GroupError::DuplicateSlot>()->slot == tail);
  CHECK(twice.get_if<GroupError::DuplicateSlot>()->first_position == 0);
  CHECK(twice.get_if<GroupError::DuplicateSlot>()->second_position == 2);

  const auto element = caught<GroupError>([&] { return group.split_mut({tail, repeated}); });
  REQUIRE(element.get_if<GroupError::NonInjective>() != nullptr);
  CHECK(element.get_if<GroupError::NonInjective>()->slot == repeated);
  CHECK(group.split_mut({tail, other}).size() == 2);
}

TEST_CASE("split_mut: device memory is split without a map, and managed memory maps what is asked for") {
  FakeProvider provider;
  auto group = AllocationGroup::from_tensors(counting_in<1>(provider, FakeProvider::device, {6}),
                                             counting_in<1>(provider, FakeProvider::managed, {6}));
  const DescriptorSlot device = group.slots()[0];
  const DescriptorSlot managed = group.slots()[1];
  const auto low = group.add_descriptor(device, f64, Layout::column_major({3}));
  const auto high = group.add_descriptor(device, f32, Layout::column_major({6}), 24);
  const auto id = group.read_view(device).allocation_id();
  CHECK(group.split_mut({low, high, managed})[1].allocation_id() == id);
  CHECK_THROWS_AS(group.split_mut({low, device}), DisjointError);
  CHECK(provider.calls.map == 0);
  CHECK(group.read_view<double, 1>(managed).map_read().view()(4) == 4.0);
  CHECK(provider.calls.map == 1);
}

TEST_CASE("maps: those that read two descriptors of one allocation nest, and one map covers an allocation") {
  FakeProvider provider;
  auto group = AllocationGroup::from_tensor(counting_in<1>(provider, FakeProvider::managed, {6}));
  const DescriptorSlot all = group.slots()[0];
  const auto part = group.add_descriptor(all, f64, Layout::column_major({2}), 32);
  {
    const auto first = group.read_view<double, 1>(all).map_read();
    const auto second = group.read_view<double, 1>(part).map_read();
    CHECK(first.host_data().size() == 6);
    CHECK(second.host_data().size() == 2);
    CHECK(second.host_data()[1] == 5.0);
  }
  {
    const auto writing = group.view_mut<double, 1>(part);
    const auto guard = writing.map_write();
    guard.host_data()[0] = 40.0;
  }
  CHECK(group.read_view<double, 1>(all).map_read().view()(4) == 40.0);
  CHECK(provider.calls.map == provider.calls.unmap);
}

TEST_CASE("update_layout: the slot stays, and what lies outside is refused") {
  Counting counting;
  AllocationGroup& group = counting.group;
  group.update_layout(counting.all, Layout::column_major({2, 3}));
  CHECK(group.read_view<double, 2>(counting.all)(1, 2) == 5.0);
  const auto error = caught<ValidationError>(
      [&] { return (group.update_layout(counting.all, Layout::column_major({7})), 0); });
  CHECK(error.operation() == "update_layout");
  CHECK(error.get_if<ViewOutOfBounds>() != nullptr);
  CHECK(group.layout(counting.all) == Layout::column_major({2, 3}));
}

TEST_CASE("reinterpret: other elements over the same bytes, of a descriptor that is alone") {
  auto group = AllocationGroup::from_tensor(
      HostTensor<std::complex<double>, 1>::from_vec_col_major({2}, {{1, 2}, {3, 4}}));
  const DescriptorSlot slot = group.slots()[0];
  const auto* const data = group.read_view<std::complex<double>>(slot).host_data().data();
  const LedgerScope scope;
  group.reinterpret(slot, f64);
  CHECK(group.layout(slot) == Layout::column_major({2, 2}));
  CHECK(group.read_view<double, 2>(slot)(1, 1) == 4.0);
  group.reinterpret(slot, u32);
  CHECK(group.layout(slot) == Layout::column_major({4, 2}));
  group.reinterpret(slot, f64);
  group.reinterpret(slot, complex128);
  CHECK(group.layout(slot) == Layout::column_major({2}));
  CHECK(group.read_view<std::complex<double>>(slot).host_data().data() == data);

  CHECK(caught<ValidationError>([&] {
          return (group.reinterpret(slot, boolean), 0);
        }).get_if<UnsupportedReinterpretation>() != nullptr);
  const auto alias = group.add_descriptor(slot, f64, Layout::column_major({4}));
  const auto error = caught<GroupError>([&] { return (group.reinterpret(slot, f64), 0); });
  REQUIRE(error.get_if<GroupError::AliasedAllocation>() != nullptr);
  CHECK(error.get_if<GroupError::AliasedAllocation>()->others == std::vector{alias});
  CHECK(group.dtype(slot) == complex128);
  CHECK(scope.bytes_copied() == 0);
}

TEST_CASE("groups: a moved-from group is empty, throws EmptyOwner, and can be assigned") {
  Counting counting;
  AllocationGroup& group = counting.group;
  const DescriptorSlot slot = counting.all;
  AllocationGroup other = std::move(group);
  CHECK(group.empty());
  CHECK(other.read_view<double, 1>(slot)(3) == 3.0);
  const Layout layout;
  CHECK_THROWS_AS(group.allocation_count(), EmptyOwner);
  CHECK_THROWS_AS(group.descriptor_count(), EmptyOwner);
  CHECK(caught<EmptyOwner>([&] { return group.slots(); }).operation() == "slots");
  CHECK_THROWS_AS(group.slots(), EmptyOwner);
  CHECK_THROWS_AS(group.dtype(slot), EmptyOwner);
  CHECK_THROWS_AS(group.is_aliased(slot), EmptyOwner);
  CHECK_THROWS_AS(group.read_view(slot), EmptyOwner);
  CHECK_THROWS_AS(group.read_views({}), EmptyOwner);
  CHECK_THROWS_AS(group.view_mut(slot), EmptyOwner);
  CHECK_THROWS_AS(group.split_mut(std::vector<DescriptorSlot>{}), EmptyOwner);
  CHECK_THROWS_AS(group.add_descriptor(slot, f64, layout), EmptyOwner);
  CHECK_THROWS_AS(group.update_layout(slot, layout), EmptyOwner);
  CHECK_THROWS_AS(group.reinterpret(slot, i64), EmptyOwner);
  CHECK_THROWS_AS(group.remove_descriptor(slot), EmptyOwner);
  CHECK_THROWS_AS(group.take_tensor(slot), EmptyOwner);
  CHECK_THROWS_AS(std::move(group).into_tensor(slot), EmptyOwner);
  CHECK_THROWS_AS(std::move(group).demote<double>(), EmptyOwner);
  CHECK_THROWS_AS(group.append_tensor(Tensor::zeros(f32, {1})), EmptyOwner);
  CHECK_THROWS_AS(other.append(std::move(group)), EmptyOwner);
  CHECK_THROWS_AS(group.compact(), EmptyOwner);
  group = std::move(other);
  CHECK(group.read_view<double, 1>(slot)(5) == 5.0);
}
