// SPDX-License-Identifier: Apache-2.0
// The borrow rules of checked builds, as groups keep them: every allocation for itself.
#include <doctest/doctest.h>

#include "support/caught.hpp"
#include "support/death.hpp"
#include "tenure/base/borrow_error.hpp"
#include "tenure/tensor/allocation_group.hpp"

using namespace tenure;
using tenure_test::caught;
using tenure_test::contains;
using tenure_test::words_of_abort;

namespace {

// Two allocations and a second descriptor of the first.
struct Pair {
  AllocationGroup group = AllocationGroup::from_tensors(
      HostTensor<double, 1>::from_vec_col_major({4}, {0, 1, 2, 3}), HostTensor<double, 1>::zeros({2}));
  DescriptorSlot first = group.slots()[0];
  DescriptorSlot second = group.slots()[1];
  DescriptorSlot alias = group.add_descriptor(first, f64, Layout::column_major({2}), 16);

  template <class Call>
  BorrowError::Kind refusal(Call call) {
    return caught<BorrowError>(call).kind();
  }
};

constexpr auto shared_alive = BorrowError::Kind::shared_alive;
constexpr auto exclusive_alive = BorrowError::Kind::exclusive_alive;
constexpr auto child_alive = BorrowError::Kind::child_alive;
constexpr auto consumed = BorrowError::Kind::consumed;

}  // namespace

TEST_CASE("group borrows: a view that reads excludes writing its allocation through any slot, and no other") {
  Pair pair;
  AllocationGroup& group = pair.group;
  {
    const auto view = group.read_view(pair.first);
    const auto other = group.read_views({pair.alias, pair.first});
    CHECK(pair.refusal([&] { return group.view_mut(pair.first); }) == shared_alive);
    CHECK(pair.refusal([&] { return group.view_mut(pair.alias); }) == shared_alive);
    CHECK(pair.refusal([&] { return group.split_mut({pair.second, pair.alias}); }) == shared_alive);
    group.view_mut<double, 1>(pair.second)(0) = 1.0;
  }
  group.view_mut<double, 1>(pair.alias)(0) = 20.0;
  CHECK(group.read_view<double, 1>(pair.first)(2) == 20.0);
}

TEST_CASE("group borrows: views that write exclude all others of their allocation until the last has ended") {
  Pair pair;
  AllocationGroup& group = pair.group;
  const auto head = group.add_descriptor(pair.first, f64, Layout::column_major({2}));
  {
    auto parts = group.split_mut({head, pair.second, pair.alias});
    parts[0].as_typed<double, 1>()(0) = 10.0;
    parts[2].as_typed<double, 1>()(0) = 12.0;
    const auto child = parts[2].reborrow();
    CHECK(pair.refusal([&] { return parts[2].reborrow(); }) == child_alive);
    CHECK(pair.refusal([&] { return group.read_view(pair.first); }) == exclusive_alive);
    CHECK(pair.refusal([&] { return group.view_mut(pair.second); }) == exclusive_alive);
    parts.clear();
    CHECK(group.read_view(pair.second).rank() == 1);
    CHECK(pair.refusal([&] { return group.read_view(head); }) == exclusive_alive);
  }
  CHECK(group.read_view<double, 1>(pair.first)(2) == 12.0);
}

TEST_CASE("group borrows: an allocation that is lent is not taken, removed or consumed with its group") {
  Pair pair;
  AllocationGroup& group = pair.group;
  AllocationGroup other;
  {
    const auto view = group.read_view(pair.second);
    CHECK(pair.refusal([&] { return group.take_tensor(pair.second); }) == consumed);
    CHECK(pair.refusal([&] { return (group.remove_descriptor(pair.second), 0); }) == consumed);
    CHECK(pair.refusal([&] { return std::move(group).into_tensor(pair.second); }) == consumed);
    CHECK(pair.refusal([&] { return other.append(std::move(group)); }) == consumed);
    CHECK(view.extents()[0] == 2);
    // What does not touch the allocation goes on, also where the table grows.
    group.remove_descriptor(pair.alias);
    for (int i = 0; i < 20; ++i) static_cast<void>(group.append_tensor(Tensor::zeros(f32, {1})));
    static_cast<void>(group.take_tensor(pair.first));
    group.compact();
    CHECK(view.as_typed<double>().host_data()[1] == 0.0);
  }
  CHECK(group.take_tensor(pair.second).element_count() == 2);

  auto one = AllocationGroup::from_tensor(HostTensor<double, 1>::zeros({2}));
  {
    const auto view = one.read_view(one.slots()[0]);
    CHECK(pair.refusal([&] { return std::move(one).demote<double>(); }) == consumed);
  }
  CHECK(std::move(one).demote<double>().element_count() == 2);
}

TEST_CASE("group borrows: a tensor that is lent does not enter a group, and one that is taken is lent anew") {
  auto tensor = HostTensor<double, 1>::zeros({2});
  AllocationGroup group;
  {
    const auto view = tensor.as_view();
    CHECK(caught<BorrowError>([&] { return group.append_tensor(std::move(tensor)); }).kind() == consumed);
    CHECK(caught<BorrowError>([&] { return AllocationGroup::from_tensor(std::move(tensor)); }).operation() ==
          "from_tensors");
  }
  const int made = __LINE__ + 1;
  auto taken = group.take_tensor<double, 1>(group.append_tensor(HostTensor<double, 1>::zeros({3})));
  const auto view = taken.as_view();
  const auto error = caught<BorrowError>([&] { return taken.as_view_mut(); });
  CHECK(error.owner().operation == "zeros");
  CHECK(error.owner().line == made);
}

TEST_CASE("group borrows: the error names where the view of the group was made") {
  Pair pair;
  const auto view = pair.group.read_view(pair.alias);
  const int made = __LINE__ - 1;
  const auto error = caught<BorrowError>([&] { return pair.group.view_mut(pair.first); });
  CHECK(error.operation() == "view_mut");
  CHECK(error.view().operation == "read_view");
  CHECK(error.view().line == made);
}

TEST_CASE("group borrows: moving or destroying a group that is lent calls the violation handler") {
  CHECK(contains(words_of_abort([] {
                   Pair pair;
                   const auto view = pair.group.read_view(pair.alias);
                   const AllocationGroup other = std::move(pair.group);
                 }),
                 "read_view"));
  CHECK(contains(words_of_abort([] {
                   std::optional<TensorView> view;
                   Pair pair;
                   view = pair.group.read_view(pair.second);
                 }),
                 "read_view"));
}

TEST_CASE("borrows: parts that try_multi_slice_mut gives are used at the same time, the whole after them") {
  auto tensor = HostTensor<double, 1>::from_vec_col_major({4}, {1, 2, 3, 4});
  const auto view = tensor.as_view_mut();
  {
    const auto parts = view.try_multi_slice_mut({{{0, {}, 2}}, {{1, {}, 2}}});
    parts[0](0) = parts[1](1);
    CHECK(caught<BorrowError>([&] { return view(0); }).kind() == child_alive);
  }
  CHECK(view(0) == 4.0);
}

TEST_CASE("borrows: an owner that is lent is not reinterpreted") {
  auto tensor = HostTensor<double, 1>::zeros({2});
  const auto view = tensor.as_view().as_bits<std::uint64_t>();
  CHECK(caught<BorrowError>([&] { return std::move(tensor).into_bits<float>(); }).kind() == consumed);
  CHECK(caught<BorrowError>([&] { return std::move(tensor).into_complex(); }).kind() == consumed);
  CHECK(tensor.extent(0) == 2);
}
