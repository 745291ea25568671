// SPDX-License-Identifier: Apache-2.0
// How operands borrow in checked builds.
#include <doctest/doctest.h>

#include "support/caught.hpp"
#include "tenure/base/borrow_error.hpp"
#include "tenure/execution/tensor_read.hpp"
#include "tenure/execution/tensor_write.hpp"
#include "tenure/tensor/host_tensor.hpp"

using namespace tenure;
using tenure_test::caught;

TEST_CASE("operands: one owner is input and destination of one call") {
  auto tensor = HostTensor<double, 1>::zeros({4});
  {
    const TensorRead first(tensor);
    const TensorWrite out(tensor);
    const TensorRead second(tensor);
    const TensorWrite copy = out;
    CHECK(copy.layout() == first.layout());
  }
  CHECK(tensor.as_view_mut().extent(0) == 4);
}

TEST_CASE("operands: one view that writes is input and destination of one call, and not used besides") {
  auto tensor = HostTensor<double, 1>::zeros({4});
  const auto view = tensor.as_view_mut().slice(0, {.step = 2});
  {
    const TensorWrite out(view);
    const TensorRead input(view);
    CHECK(caught<BorrowError>([&] { return view(0); }).kind() == BorrowError::Kind::child_alive);
    CHECK(caught<BorrowError>([&] { return view.as_read(); }).kind() == BorrowError::Kind::child_alive);
  }
  CHECK(view(0) == 0.0);
}

TEST_CASE("operands: what is read may be read by others, not written by a view") {
  auto tensor = HostTensor<double, 1>::zeros({4});
  {
    const auto view = tensor.as_view();
    const TensorRead owner_operand(tensor);
    const TensorRead view_operand(view);
    CHECK(caught<BorrowError>([&] { return tensor.as_view_mut(); }).kind() ==
          BorrowError::Kind::shared_alive);
  }
  const auto writing = tensor.as_view_mut();
  const auto error = caught<BorrowError>([&] { return TensorRead(tensor); });
  CHECK(error.kind() == BorrowError::Kind::exclusive_alive);
  CHECK(error.operation() == "TensorRead");
}

TEST_CASE("operands: what is written is seen by no view") {
  auto tensor = HostTensor<double, 1>::zeros({4});
  {
    const auto view = tensor.as_view();
    CHECK(caught<BorrowError>([&] { return TensorWrite(tensor); }).kind() == BorrowError::Kind::shared_alive);
  }
  const TensorWrite out(tensor);
  CHECK(caught<BorrowError>([&] { return tensor.as_view(); }).kind() == BorrowError::Kind::exclusive_alive);
}

TEST_CASE("operands: an owner is not consumed by a call that still reads it") {
  auto tensor = HostTensor<double, 1>::zeros({4});
  const TensorRead input(tensor);
  CHECK(caught<BorrowError>([&] { return std::move(tensor).into_typed(); }).kind() ==
        BorrowError::Kind::consumed);
}
