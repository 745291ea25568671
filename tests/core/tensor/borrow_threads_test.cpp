// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <thread>
#include <utility>
#include <vector>

#include "tenure/base/borrow_error.hpp"
#include "tenure/tensor/host_tensor.hpp"

using namespace tenure;

namespace {

template <class Use>
void on_threads(Use use) {
  std::array<std::thread, 4> threads;
  for (std::thread& thread : threads) thread = std::thread(use);
  for (std::thread& thread : threads) thread.join();
}

}  // namespace

TEST_CASE("borrows: threads take, copy and end views of one const owner at the same time") {
  for (int round = 0; round < 50; ++round) {
    auto tensor = HostTensor<double, 2>::filled({2, 3}, 1.0);
    std::atomic<int> sum = 0;
    on_threads([&, &shared = std::as_const(tensor)] {
      for (int i = 0; i < 20; ++i) {
        const auto view = shared.as_view();
        const auto copy = view.transposed();
        const auto guard = shared.map_read();
        sum += static_cast<int>(view(1, 1) + copy(2, 0) + guard.host_data()[5]);
      }
    });
    CHECK(sum == 4 * 20 * 3);
    tensor.as_view_mut()(0, 0) = 2.0;
  }
}

TEST_CASE("borrows: threads use parts of one view that writes, each its own") {
  auto tensor = HostTensor<double, 1>::filled({8}, 1.0);
  {
    const auto whole = tensor.as_view_mut();
    const auto parts = whole.try_multi_slice_mut({{{0, 2}}, {{2, 4}}, {{4, 6}}, {{6, 8}}});
    std::atomic<std::size_t> next = 0;
    on_threads([&] {
      const auto& part = parts[next++];
      for (int i = 0; i < 200; ++i) part.reborrow().flip(0)(0) += 1.0;
    });
    CHECK_THROWS_AS(tensor.as_view(), BorrowError);
  }
  const auto view = tensor.as_view();
  CHECK(view(1) == 201.0);
  CHECK(view(7) == 201.0);
}
