// SPDX-License-Identifier: Apache-2.0
// What owners and views cost in heap blocks.
#include <doctest/doctest.h>

#include <vector>

#include "support/heap_blocks.hpp"
#include "tenure/tensor/host_tensor.hpp"
#include "tenure/tensor/tensor.hpp"
#include "tenure/tensor/transfer.hpp"

using namespace tenure;
using tenure_test::blocks_of;

namespace {

// In a checked build the first borrow makes the owner's borrow record, which is one block.
template <class Tensor>
void borrow_once(const Tensor& tensor) {
  CHECK(blocks_of([&] { const auto view = tensor.as_view(); }) == TENURE_CHECKED);
}

}  // namespace

TEST_CASE("heap blocks: adopting a vector and giving it back takes none for ranks up to 6") {
  for (std::size_t rank = 0; rank <= 6; ++rank) {
    const std::vector<std::int64_t> extents(rank, 2);
    std::vector<double> values(std::size_t{1} << rank);
    CHECK(blocks_of([&] {
            auto tensor = HostTensor<double>::from_vec_col_major(extents, std::move(values));
            auto dynamic = std::move(tensor).into_dynamic();
            auto typed = std::move(dynamic).into_typed<double>();
            values = std::move(typed).into_vec_col_major();
          }) == 0);
  }
}

TEST_CASE("heap blocks: a tensor is its bytes and nothing else for ranks up to 6") {
  for (std::size_t rank = 0; rank <= 6; ++rank) {
    const std::vector<std::int64_t> extents(rank, 2);
    CHECK(blocks_of([&] { const auto tensor = HostTensor<float>::zeros(extents); }) == 1);
    const auto tensor = Tensor::zeros(f32, extents);
    borrow_once(tensor);
    CHECK(blocks_of([&] { const auto copy = tensor.duplicate(); }) == 1);
    CHECK(blocks_of([&] { const auto copy = download(tensor.as_view().transposed()); }) == 1);
  }
}

TEST_CASE("heap blocks: views, their transforms, maps and element access take none for ranks up to 6") {
  auto tensor = HostTensor<double, 4>::zeros({2, 3, 4, 5});
  const auto other = HostTensor<double, 4>::zeros({2, 3, 4, 5});
  borrow_once(tensor);
  borrow_once(other);
  CHECK(blocks_of([&] {
          double sum = 0;
          {
            const auto view = tensor.as_view();
            const auto copy = view;
            const auto six = view.insert_axis(0).insert_axis(0);
            const auto four = six.permute({5, 4, 3, 2, 1, 0}).flip(0).slice(1, Slice{1, 3}).select(2, 0);
            const auto parts = view.reshape({30, 4}).as_dynamic().as_typed<double, 2>();
            sum = copy.at(0, 0, 0, 0) + parts.at(1, 1) + *view.get({0, 0, 0, 0});
          }
          {
            const auto writing = tensor.as_view_mut().reborrow().transposed();
            writing.at(4, 3, 2, 1) = sum;
            copy_into(other.as_view().transposed(), writing);
          }
          const auto guard = tensor.map_write();
          guard.view()(0, 0, 0, 0) = guard.host_data()[1];
        }) == 0);
}

TEST_CASE("heap blocks: taking the bytes out as a buffer vector takes one") {
  auto tensor = HostTensor<double>::zeros({1000});
  BufferVector<double> buffer;
  CHECK(blocks_of([&] { buffer = std::move(tensor).into_buffer_vector(); }) == 1);
  CHECK(buffer.size() == 1000);
}
