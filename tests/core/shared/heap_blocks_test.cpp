// SPDX-License-Identifier: Apache-2.0
// What shared tensors cost in heap blocks.
#include <doctest/doctest.h>

#include <new>
#include <utility>
#include <vector>

#include "support/heap_blocks.hpp"
#include "tenure/shared/saved_tensor.hpp"

using namespace tenure;
using tenure_test::blocks_of;
using tenure_test::NoMemory;

namespace {

struct Scale {
  static constexpr AttachmentPolicy attachment_policy = AttachmentPolicy::shared;
};
struct History {
  static constexpr AttachmentPolicy attachment_policy = AttachmentPolicy::never_copied;
};

// In a checked build the first borrow makes the storage's borrow record, which is one block.
void borrow_once(const SharedTensor& tensor) {
  CHECK(blocks_of([&] { const auto guard = tensor.read(); }) == TENURE_CHECKED);
}

}  // namespace

TEST_CASE("heap blocks: sharing a tensor takes one, the control block, for ranks up to 6") {
  for (std::size_t rank = 0; rank <= 6; ++rank) {
    const std::vector<std::int64_t> extents(rank, 2);
    auto tensor = Tensor::zeros(f32, extents);
    CHECK(blocks_of([&] { const auto shared = SharedTensor::from(std::move(tensor)); }) == 1);
  }
}

TEST_CASE("heap blocks: aliases, views, guards and saving take none for ranks up to 6") {
  auto tensor = SharedTensor::from(Tensor::zeros(f64, {2, 3, 4, 5}));
  tensor.attach(std::make_shared<Scale>());
  tensor.attach(std::make_shared<History>());
  borrow_once(tensor);
  CHECK(blocks_of([&] {
          const SharedTensor alias = tensor;
          const SharedTensor six = alias.insert_axis(0).insert_axis(0).permute({5, 4, 3, 2, 1, 0}).flip(0);
          const SharedTensor other = six.slice(1, Slice{1, 3}).select(2, 0).as_strided({3, 4}, {4, 1}, 2);
          SharedTensor assigned = tensor.reshape({30, 4});
          assigned = other;
          const SavedTensor saved(assigned);
          CHECK(saved.read().view().as_typed<double>().at(0, 0) == 0.0);
          assigned.write().publish();
        }) == 0);
}

TEST_CASE("heap blocks: a clone takes two, its bytes and the control block") {
  auto tensor = SharedTensor::from(Tensor::zeros(f64, {2, 3}));
  tensor.attach(std::make_shared<Scale>());
  borrow_once(tensor);
  CHECK(blocks_of([&] { const auto clone = tensor.transposed().clone(); }) == 2);
  CHECK(blocks_of([&] { const auto clone = tensor.clone(MemoryFormat::row_major); }) == 2);
}

TEST_CASE("heap blocks: a value that cannot be attached for want of memory stays with the caller") {
  auto tensor = SharedTensor::from(Tensor::zeros(f64, {2}));
  auto scale = std::make_shared<Scale>();
  bool is_refused = false;
  {
    const NoMemory none;
    try {
      tensor.attach(std::move(scale));
    } catch (const std::bad_alloc&) {
      is_refused = true;
    }
  }
  CHECK(is_refused);
  CHECK(scale.use_count() == 1);
  CHECK(tensor.attachment<Scale>() == nullptr);
  tensor.attach(std::move(scale));
  CHECK(scale == nullptr);
  CHECK(tensor.attachment<Scale>() != nullptr);
}
