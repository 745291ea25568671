// SPDX-License-Identifier: Apache-2.0
// The borrow rules of a checked build, for views that guards of shared tensors gave.
#include <doctest/doctest.h>

#include <optional>
#include <utility>

#include "core/shared/shared_values.hpp"
#include "support/caught.hpp"
#include "support/death.hpp"
#include "tenure/base/borrow_error.hpp"

using namespace tenure;
using tenure_test::caught;
using tenure_test::contains;
using tenure_test::share;
using tenure_test::values_of;
using tenure_test::words_of_abort;

TEST_CASE("borrows: a view that outlives its read guard excludes writing, and a refused write is no change") {
  SharedTensor tensor = share({2}, {1, 2});
  {
    const std::uint32_t line = __LINE__ + 1;
    const TensorView left = tensor.read().view();
    const auto error = caught<BorrowError>([&] { return tensor.write(); });
    CHECK(error.kind() == BorrowError::Kind::shared_alive);
    CHECK(error.operation() == "write");
    CHECK(error.view().operation == "read");
    CHECK(error.view().line == line);
    CHECK(left.as_typed<double>().at(1) == 2.0);
  }
  CHECK(tensor.version() == 0);
  tensor.write().publish();
  CHECK(tensor.version() == 1);
}

TEST_CASE("borrows: a child that outlives its write guard excludes all others") {
  SharedTensor tensor = share({2, 2}, {1, 2, 3, 4});
  {
    std::optional<SharedWriteGuard> guard = tensor.write();
    const TensorViewMut left = guard->view().select(0, 1);
    guard->publish();
    CHECK(caught<BorrowError>([&] { return tensor.read(); }).kind() == BorrowError::Kind::exclusive_alive);
    CHECK_THROWS_AS(tensor.clone(), BorrowError);
    CHECK_THROWS_AS(tensor.write(), BorrowError);
    CHECK(tensor.version() == 1);
  }
  CHECK(values_of(tensor) == std::vector<double>{1, 2, 3, 4});
}

TEST_CASE("borrows: a borrowed tensor cannot be shared, and is whole afterwards") {
  Tensor tensor = Tensor::from_vec_col_major({2}, std::vector<double>{1, 2});
  {
    const auto view = tensor.as_view();
    const auto error = caught<BorrowError>([&] { return SharedTensor::from(std::move(tensor)); });
    CHECK(error.kind() == BorrowError::Kind::consumed);
    CHECK(error.operation() == "SharedTensor::from");
  }
  CHECK(values_of(SharedTensor::from(std::move(tensor))) == std::vector<double>{1, 2});
}

TEST_CASE("borrows: a view that outlives the last handle ends the process and says where it was made") {
  const std::string text = words_of_abort([] {
    std::optional<SharedTensor> tensor = share({2}, {1, 2});
    const TensorView left = tensor->read().view();
    tensor.reset();
  });
  CHECK(contains(text, "was destroyed while it is borrowed"));
  CHECK(contains(text, "the view made by read at "));
}

TEST_CASE("borrows: assigning to a guard ends what it borrowed before the storage may end") {
  SharedTensor second = share({1}, {2});
  {
    std::optional<SharedTensor> first = share({1}, {1});
    auto reading = first->read();
    first.reset();
    reading = second.read();
    CHECK(reading.view().as_typed<double>().at(0) == 2.0);
  }
  auto writing = share({1}, {3}).write();
  writing = second.write();
  CHECK(writing.view().as_typed<double>().at(0) == 2.0);
}
