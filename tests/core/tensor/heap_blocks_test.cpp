// SPDX-License-Identifier: Apache-2.0
// What owners and views cost in heap blocks.
#include <doctest/doctest.h>

#include <new>
#include <vector>

#include "support/heap_blocks.hpp"
#include "tenure/layout/overlap.hpp"
#include "tenure/tensor/allocation_group.hpp"
#include "tenure/tensor/host_tensor.hpp"
#include "tenure/tensor/tensor.hpp"
#include "tenure/tensor/transfer.hpp"

using namespace tenure;
using tenure_test::blocks_of;
using tenure_test::freed_blocks;
using tenure_test::NoMemory;

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

TEST_CASE("heap blocks: every view, transform and conversion of ranks up to 6 takes none") {
  for (std::size_t rank = 1; rank <= 6; ++rank) {
    const std::vector<std::int64_t> extents(rank, 2);
    std::vector<std::int64_t> axes(rank);
    for (std::size_t axis = 0; axis < rank; ++axis) axes[axis] = static_cast<std::int64_t>(rank - 1 - axis);
    const std::vector<std::int64_t> wide(rank, 3);
    const std::vector<Slice> slices(rank, Slice{1, {}});
    const std::vector<std::int64_t> one{std::int64_t{1} << rank};
    auto tensor = Tensor::zeros(f64, extents);
    borrow_once(tensor);
    CHECK(blocks_of([&] {
            auto typed = std::move(tensor).into_typed<double>();
            auto host = std::move(typed).into_host();
            tensor = std::move(host).into_typed().into_dynamic();
          }) == 0);
    CHECK(blocks_of([&] {
            const auto view = tensor.as_view();
            const auto part = view.permute(axes).transposed().flip(0).slice(slices).slice(0, Slice{0, 1});
            const auto broadcast = part.broadcast_to(wide);
            const auto less = view.select(0, 1).insert_axis(0).slice(0, Slice{}).remove_axis(0);
            const auto line = view.reshape(one).reshape(extents);
            const auto typed = view.as_typed<double>().as_dynamic();
            const auto complex = view.as_complex().as_real();
          }) == 0);
    CHECK(blocks_of([&] {
            auto view = tensor.as_view_mut();
            { const auto child = view.reborrow().permute(axes).flip(0).select(0, 0).insert_axis(-1); }
            { const auto read = view.as_read(); }
            { const auto parts = view.as_complex().as_real().as_typed<double>(); }
            const TensorViewMut moved = std::move(view);
          }) == 0);
  }
}

TEST_CASE("heap blocks: decisions about overlap and their witnesses take none for ranks up to 6") {
  const Layout whole = Layout::column_major({4, 4, 4, 4, 4, 4});
  const Layout upper = whole.slice(5, {2, {}});
  const Layout odd = Layout::strided({3, 3, 3, 3, 3, 3}, {5, 7, 11, 13, 17, 19});
  const auto decide = [](const Layout& a, const Layout& b) {
    IndexPair witness;
    const PlacedLayout placed_a{0, a, sizeof(double)};
    const PlacedLayout placed_b{0, b, sizeof(double)};
    decide_overlap(placed_a, placed_b, search_work_limit_default, &witness);
    return !witness.first.empty();
  };
  CHECK(blocks_of([&] {
          CHECK(decide(whole, whole));
          CHECK(decide(whole, upper));
          CHECK(decide(odd, odd.slice(0, {1, {}})));
        }) == 0);
}

TEST_CASE("heap blocks: guards of tensors and views of ranks up to 6 take none") {
  for (std::size_t rank = 1; rank <= 6; ++rank) {
    const std::vector<std::int64_t> extents(rank, 2);
    auto tensor = HostTensor<double>::zeros(extents);
    borrow_once(tensor);
    CHECK(blocks_of([&] {
            const auto first = tensor.map_read();
            const auto second = tensor.as_view().select(0, 1).map_read();
          }) == 0);
    CHECK(blocks_of([&] {
            auto guard = tensor.map_write();
            guard.host_data()[0] = 1.0;
            guard.publish();
          }) == 0);
    CHECK(blocks_of([&] {
            auto guard = tensor.as_view_mut().flip(0).map_write();
            const auto moved = std::move(guard);
          }) == 0);
  }
}

TEST_CASE("heap blocks: bytes leave a tensor of rank up to 6 without one, or with one as a buffer vector") {
  for (std::size_t rank = 0; rank <= 6; ++rank) {
    const std::vector<std::int64_t> extents(rank, 2);
    std::vector<float> values(std::size_t{1} << rank);
    CHECK(blocks_of([&] {
            auto tensor = Tensor::from_vec_col_major(extents, std::move(values));
            values = std::move(tensor).into_vec_col_major<float>();
          }) == 0);
    CHECK(blocks_of([&] {
            const auto tensor = HostTensor<float>::from_data_ptr(extents, DataPtr({.data = values.data()}),
                                                                 values.size() * sizeof(float));
          }) == 0);
    auto tensor = Tensor::from_vec_col_major(extents, std::move(values));
    BufferVector<float> buffer;
    CHECK(blocks_of([&] { buffer = std::move(tensor).into_buffer_vector<float>(); }) == 1);
    CHECK(blocks_of([&] { const BufferVector<float> moved = std::move(buffer); }) == 0);
  }
}

TEST_CASE("heap blocks: copies into place and out of it take those of their results alone") {
  const auto source = HostTensor<double, 3>::zeros({4, 5, 6});
  auto target = HostTensor<double, 3>::zeros({6, 5, 4});
  borrow_once(source);
  borrow_once(target);
  CHECK(blocks_of([&] { copy_into(source.as_view().transposed(), target.as_view_mut()); }) == 0);
  CHECK(blocks_of([&] { const auto values = source.as_view().flip(1).to_vec_row_major(); }) == 1);
  CHECK(blocks_of([&] { const auto copy = source.as_view().transposed().to_col_major(); }) == 1);
}

TEST_CASE("heap blocks: promotion, reinterpretation and demotion take none for ranks up to 6") {
  auto tensor = HostTensor<double, 6>::zeros({2, 2, 2, 2, 2, 2});
  CHECK(blocks_of([&] {
          AllocationGroup group;
          const DescriptorSlot slot = group.append_tensor(std::move(tensor));
          group.reinterpret(slot, u64);
          auto bits = std::move(group).demote<std::uint64_t, 6>();
          tensor = std::move(bits).into_bits<double>();
        }) == 0);
  CHECK(tensor.element_count() == 64);
}

TEST_CASE("heap blocks: a view that is assigned one of a higher rank without memory for it is as it was") {
  auto low = HostTensor<double>::filled({2, 3}, 1.0);
  const auto high = HostTensor<double>::zeros({1, 2, 1, 2, 1, 2, 1});
  {
    auto view = low.as_view();
    const auto other = high.as_view();
    bool is_refused = false;
    {
      const NoMemory none;
      try {
        view = other;
      } catch (const std::bad_alloc&) {
        is_refused = true;
      }
    }
    CHECK(is_refused);
    CHECK(view.rank() == 2);
    CHECK(view.host_data().data() == low.host_data().data());
    view = other;
    CHECK(view.rank() == 7);
    CHECK(view.host_data().data() == high.host_data().data());
  }
  CHECK(low.as_view_mut()(1, 2) == 1.0);
}

TEST_CASE("heap blocks: compact gives the tables of a group back when none or one entry is left") {
  for (const std::size_t left : {0u, 1u}) {
    AllocationGroup group = AllocationGroup::from_tensors(
        HostTensor<double>::zeros({0}), HostTensor<double>::zeros({0}), HostTensor<double>::zeros({0}));
    const auto slots = group.slots();
    for (std::size_t i = left; i < slots.size(); ++i) group.remove_descriptor(slots[i]);
    const std::int64_t before = freed_blocks;
    CHECK(blocks_of([&] { group.compact(); }) == 0);
    CHECK(freed_blocks - before == 2);
    CHECK(group.descriptor_count() == left);
  }
}

TEST_CASE(
    "heap blocks: where none is left for a small structure std::bad_alloc passes, and all is as it was") {
  auto group = AllocationGroup::from_tensor(HostTensor<double, 1>::zeros({2}));
  auto tensor = HostTensor<double, 1>::filled({3}, 4.0);
  const double* const address = tensor.host_data().data();
  bool has_passed = false;
  try {
    const NoMemory refusing;
    group.append_tensor(std::move(tensor));
  } catch (const std::bad_alloc&) {
    has_passed = true;
  }
  CHECK(has_passed);
  CHECK(tensor.host_data().data() == address);
  CHECK(tensor(2) == 4.0);
  CHECK(group.descriptor_count() == 1);
  group.append_tensor(std::move(tensor));
  CHECK(group.descriptor_count() == 2);
}
