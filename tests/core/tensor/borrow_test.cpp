// SPDX-License-Identifier: Apache-2.0
// The borrow rules of checked builds, as owners and views keep them.
#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <utility>

#include "core/tensor/placed_tensor.hpp"
#include "support/caught.hpp"
#include "support/fake_provider.hpp"
#include "tenure/base/access_error.hpp"
#include "tenure/base/borrow_error.hpp"
#include "tenure/tensor/host_tensor.hpp"
#include "tenure/tensor/transfer.hpp"
#include "tenure/tensor/uninitialized_tensor.hpp"

using namespace tenure;
using tenure_test::caught;
using tenure_test::contains;
using tenure_test::counting_in;
using tenure_test::FakeProvider;

namespace {

// The kind of BorrowError that a call throws.
template <class Call>
BorrowError::Kind refusal(Call call) {
  return caught<BorrowError>(call).kind();
}

constexpr auto shared_alive = BorrowError::Kind::shared_alive;
constexpr auto exclusive_alive = BorrowError::Kind::exclusive_alive;
constexpr auto child_alive = BorrowError::Kind::child_alive;
constexpr auto consumed = BorrowError::Kind::consumed;

}  // namespace

TEST_CASE("borrows: views that read go together and exclude one that writes until the last of them ends") {
  auto tensor = HostTensor<double, 2>::zeros({2, 3});
  {
    const auto first = tensor.as_view();
    auto last = first.transposed();
    {
      const auto second = tensor.as_view();
      const auto copy = second;
      CHECK(refusal([&] { return tensor.as_view_mut(); }) == shared_alive);
    }
    CHECK(refusal([&] { return tensor.as_view_mut(); }) == shared_alive);
    last = tensor.as_view();
    CHECK(refusal([&] { return tensor.map_write(); }) == shared_alive);
  }
  tensor.as_view_mut()(1, 2) = 4.0;
  CHECK(tensor.as_view()(1, 2) == 4.0);
}

TEST_CASE("borrows: a view that writes excludes all others until it ends") {
  auto tensor = Tensor::zeros(f64, {4});
  {
    const auto view = tensor.as_view_mut();
    CHECK(refusal([&] { return tensor.as_view(); }) == exclusive_alive);
    CHECK(refusal([&] { return tensor.as_view_mut(); }) == exclusive_alive);
    CHECK(refusal([&] { return tensor.map_read(); }) == exclusive_alive);
    CHECK(refusal([&] { return tensor.duplicate(); }) == exclusive_alive);
    CHECK(tensor.extent(0) == 4);
  }
  CHECK(tensor.as_view().rank() == 1);
}

TEST_CASE("borrows: the error names the operation and where the owner and the other view were made") {
  auto tensor = HostTensor<double, 1>::filled({3}, 1.0);
  const int made = __LINE__ - 1;
  const auto view = tensor.as_view();
  const auto error = caught<BorrowError>([&] { return tensor.as_view_mut(); });
  CHECK(error.operation() == "as_view_mut");
  CHECK(error.owner().operation == "filled");
  CHECK(contains(error.owner().file, "borrow_test.cpp"));
  CHECK(error.owner().line == made);
  CHECK(error.view().operation == "as_view");
  CHECK(contains(error.view().file, "borrow_test.cpp"));
  CHECK(error.view().line == made + 2);
}

TEST_CASE("borrows: a copy of an owner is refused by its own name") {
  auto dynamic = Tensor::zeros(f64, {3});
  auto host = HostTensor<double, 1>::zeros({3});
  auto typed = TypedTensor<double, 1>::zeros({3});
  const auto of_dynamic = dynamic.as_view_mut();
  const auto of_host = host.as_view_mut();
  const auto of_typed = typed.as_view_mut();
  const auto name = [](auto call) { return std::string(caught<BorrowError>(call).operation()); };
  CHECK(name([&] { return dynamic.duplicate(); }) == "duplicate");
  CHECK(name([&] { return dynamic.to_vec_col_major<double>(); }) == "to_vec_col_major");
  CHECK(name([&] { return dynamic.to_vec_row_major<double>(); }) == "to_vec_row_major");
  CHECK(name([&] { return host.duplicate(); }) == "duplicate");
  CHECK(name([&] { return host.to_vec_col_major(); }) == "to_vec_col_major");
  CHECK(name([&] { return typed.to_vec_row_major(); }) == "to_vec_row_major");
  CHECK(name([&] { return typed.duplicate(); }) == "duplicate");
}

TEST_CASE("borrows: a guard of a view that reads is named as itself when it is in the way") {
  auto tensor = HostTensor<double, 1>::zeros({3});
  std::optional view = tensor.as_view();
  const auto guard = view->map_read();
  const int made = __LINE__ - 1;
  view.reset();
  const auto error = caught<BorrowError>([&] { return tensor.as_view_mut(); });
  CHECK(error.view().operation == "map_read");
  CHECK(error.view().line == made);
}

TEST_CASE("borrows: an owner that came by another way keeps the place where it was made") {
  auto tensor = Tensor::zeros(f64, {2, 2});
  const int made = __LINE__ - 1;
  auto typed = std::move(tensor).into_host<double, 2>();
  auto moved = std::move(typed);
  const auto copy = moved.as_view().duplicate();
  const auto view = moved.as_view();
  CHECK(caught<BorrowError>([&] { return moved.as_view_mut(); }).owner().line == made);
  auto named = moved.as_view().to_col_major();
  const auto of_copy = named.as_view();
  CHECK(caught<BorrowError>([&] { return named.as_view_mut(); }).owner().operation == "to_col_major");
}

TEST_CASE("borrows: a borrowed owner is not consumed, and is whole afterwards") {
  auto tensor = HostTensor<double, 1>::from_vec_col_major({3}, {1, 2, 3});
  {
    const auto view = tensor.as_view();
    CHECK(refusal([&] { return std::move(tensor).into_vec_col_major(); }) == consumed);
    CHECK(refusal([&] { return std::move(tensor).into_buffer_vector(); }) == consumed);
    CHECK(refusal([&] { return std::move(tensor).into_dynamic(); }) == consumed);
    CHECK(refusal([&] { return std::move(tensor).into_typed(); }) == consumed);
    CHECK(refusal([&] { return std::move(tensor).into_rank<dynamic_rank>(); }) == consumed);
    const auto error = caught<BorrowError>([&] { return std::move(tensor).into_vec_col_major(); });
    CHECK(error.operation() == "into_vec_col_major");
    CHECK(view(2) == 3.0);
  }
  CHECK(std::move(tensor).into_vec_col_major() == std::vector<double>{1, 2, 3});

  auto dynamic = Tensor::zeros(f64, {3});
  {
    const auto view = dynamic.as_view_mut();
    CHECK(refusal([&] { return std::move(dynamic).into_typed<double>(); }) == consumed);
    CHECK(refusal([&] { return std::move(dynamic).into_host<double>(); }) == consumed);
  }
  auto typed = std::move(dynamic).into_typed<double>();
  {
    const auto guard = typed.map_read();
    CHECK(refusal([&] { return std::move(typed).into_host(); }) == consumed);
    CHECK(refusal([&] { return std::move(typed).into_rank<1>(); }) == consumed);
  }
  CHECK(std::move(typed).into_host()(0) == 0.0);
}

TEST_CASE("borrows: assume_written waits for the views that write the elements") {
  auto unfinished = UninitializedTensor::on_host(f64, {2});
  auto view = unfinished.as_view_mut();
  const auto writing = view.as_typed<double, 1>();
  writing(0) = writing(1) = 5.0;
  CHECK(refusal([&] { return std::move(unfinished).assume_written(); }) == consumed);
  CHECK(refusal([&] { return unfinished.as_view_mut(); }) == exclusive_alive);
}

TEST_CASE("borrows: the child of a view that writes must end before the view is used") {
  auto tensor = HostTensor<double, 2>::zeros({2, 3});
  const auto other = HostTensor<double, 2>::zeros({2, 3});
  const auto view = tensor.as_view_mut();
  {
    const auto child = view.reborrow();
    CHECK(refusal([&] { return view(0, 0); }) == child_alive);
    CHECK(refusal([&] { return view.at(0, 0); }) == child_alive);
    CHECK(refusal([&] { return view.get({0, 0}); }) == child_alive);
    CHECK(refusal([&] { return view.get_mut({0, 0}); }) == child_alive);
    CHECK(refusal([&] { return view.host_data(); }) == child_alive);
    CHECK(refusal([&] { return view.host_data_mut(); }) == child_alive);
    CHECK(refusal([&] { return view.reborrow(); }) == child_alive);
    CHECK(refusal([&] { return view.as_read(); }) == child_alive);
    CHECK(refusal([&] { return view.transposed(); }) == child_alive);
    CHECK(refusal([&] { return view.as_dynamic(); }) == child_alive);
    CHECK(refusal([&] { return view.as_rank<dynamic_rank>(); }) == child_alive);
    CHECK(refusal([&] { return view.map_write(); }) == child_alive);
    CHECK(refusal([&] {
            copy_into(other.as_view(), view);
            return 0;
          }) == child_alive);
    CHECK(view.extent(1) == 3);
    child(1, 1) = 6.0;
  }
  CHECK(view(1, 1) == 6.0);
}

TEST_CASE("borrows: children of children end from the last to the first") {
  auto tensor = HostTensor<double, 2>::zeros({2, 3});
  const auto view = tensor.as_view_mut();
  const auto row = view.select(0, 1);
  {
    const auto element = row.select(0, 2);
    CHECK(refusal([&] { return row(0); }) == child_alive);
    CHECK(refusal([&] { return view(0, 0); }) == child_alive);
    element() = 1.0;
  }
  CHECK(row(2) == 1.0);
  CHECK(refusal([&] { return view(0, 0); }) == child_alive);
}

TEST_CASE("borrows: children that read go together") {
  auto tensor = HostTensor<double, 1>::filled({3}, 2.0);
  const auto view = tensor.as_view_mut();
  {
    const auto first = view.as_read();
    const auto second = view.as_read();
    CHECK(first(0) + second.flip(0)(0) == 4.0);
    CHECK(refusal([&] { return view.reborrow(); }) == child_alive);
    CHECK(refusal([&] { return tensor.as_view(); }) == exclusive_alive);
  }
  view(0) = 3.0;
}

TEST_CASE("borrows: a view that ends before its child hands the borrow on") {
  auto tensor = HostTensor<double, 2>::zeros({2, 2});
  {
    const auto column = tensor.as_view_mut().transposed().select(0, 1);
    column(0) = 9.0;
    CHECK(refusal([&] { return tensor.as_view(); }) == exclusive_alive);
  }
  CHECK(tensor.as_view()(0, 1) == 9.0);
}

TEST_CASE("borrows: a moved view takes its borrow along, an assigned one ends its own") {
  auto first = HostTensor<double, 1>::zeros({2});
  auto second = HostTensor<double, 1>::zeros({2});
  {
    auto view = first.as_view_mut();
    auto moved = std::move(view);
    CHECK(refusal([&] { return first.as_view(); }) == exclusive_alive);
    moved = second.as_view_mut();
    CHECK(first.as_view()(0) == 0.0);
    CHECK(refusal([&] { return second.as_view(); }) == exclusive_alive);
  }
  CHECK(second.as_view()(0) == 0.0);
}

TEST_CASE("borrows: map guards borrow, and publish ends it") {
  auto tensor = HostTensor<double, 1>::zeros({2});
  auto guard = tensor.map_write();
  CHECK(refusal([&] { return tensor.as_view(); }) == exclusive_alive);
  guard.publish();
  const auto reading = tensor.map_read();
  CHECK(refusal([&] { return tensor.as_view_mut(); }) == shared_alive);
  CHECK(tensor.as_view()(0) == 0.0);
}

TEST_CASE("borrows: a guard that another is assigned to ends its view before its map") {
  FakeProvider provider;
  auto first = counting_in<1>(provider, FakeProvider::managed, {4});
  auto second = counting_in<1>(provider, FakeProvider::managed, {4});
  int free_at_unmap = 0;
  provider.at_unmap = [&] {
    try {
      const auto view = first.as_view_mut();
      ++free_at_unmap;
    } catch (const BorrowError&) {
    }
  };
  {
    auto reading = first.map_read();
    reading = second.map_read();
    CHECK(free_at_unmap == 1);
    CHECK(reading.view()(3) == 3.0);
  }
  {
    auto writing = first.map_write();
    writing = second.map_write();
    CHECK(free_at_unmap == 3);
    CHECK(writing.view()(3) == 3.0);
  }
  provider.at_unmap = nullptr;
}

TEST_CASE("borrows: a map that is in the way of a map is noticed first, as in a release build") {
  FakeProvider provider;
  auto tensor = counting_in<1>(provider, FakeProvider::managed, {4});
  const auto guard = tensor.map_read();
  CHECK(caught<AccessError>([&] { return tensor.map_write(); }).kind() == AccessError::Kind::mapped);
  CHECK(refusal([&] { return tensor.as_view_mut(); }) == shared_alive);
}

TEST_CASE("borrows: a refused view leaves no map behind") {
  FakeProvider provider;
  auto tensor = counting_in<1>(provider, FakeProvider::managed, {4});
  {
    const auto view = tensor.as_view_mut();
    CHECK(refusal([&] { return tensor.map_read(); }) == exclusive_alive);
  }
  CHECK(provider.calls.unmap == provider.calls.map);
  CHECK(tensor.map_write().host_data()[1] == 1.0);
}

TEST_CASE("borrows: parts beside each other are used at the same time, the whole after them") {
  auto tensor = HostTensor<double, 1>::from_vec_col_major({4}, {1, 2, 3, 4});
  const auto view = tensor.as_view_mut();
  {
    const auto even = view.slice(0, {.step = 2});
    const auto odd = StateAccess::make<TypedTensorViewMut<double, 1>>(
        StateAccess::state(even).beside(StateAccess::state(view).layout().slice(0, {.start = 1, .step = 2})));
    copy_into(even.as_read(), odd);
    CHECK(refusal([&] { return view(0); }) == child_alive);
    const auto child = odd.reborrow();
    CHECK(refusal([&] { return odd(0); }) == child_alive);
    even(0) = 7.0;
  }
  CHECK(view(1) == 1.0);
  CHECK(view(3) == 3.0);
  CHECK(view(0) == 7.0);
}

TEST_CASE("borrows: owners without elements are borrowed like any") {
  auto none = HostTensor<double, 1>::zeros({0});
  const auto view = none.as_view();
  CHECK(refusal([&] { return none.as_view_mut(); }) == shared_alive);
}
