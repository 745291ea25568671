// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <sys/mman.h>

#include "support/caught.hpp"
#include "tenure/base/disjoint_error.hpp"
#include "tenure/tensor/allocation_group.hpp"

using namespace tenure;
using tenure_test::caught;

namespace {

// Addresses without memory behind them: no test here follows one.
constexpr std::size_t reserved_bytes = std::size_t{1} << 29;

Tensor reserved_tensor() {
  void* const address =
      mmap(nullptr, reserved_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  REQUIRE(address != MAP_FAILED);
  const auto unmap = [](void* context) noexcept { munmap(context, reserved_bytes); };
  return Tensor::from_data_ptr(u8, {reserved_bytes}, DataPtr({address, address, unmap}), reserved_bytes);
}

}  // namespace

TEST_CASE("split_mut: readings of which no search of the usual length says that they are apart are refused") {
  AllocationGroup group = AllocationGroup::from_tensor(reserved_tensor());
  const DescriptorSlot all = group.slots()[0];
  const auto add = [&](AxisValues strides, std::int64_t offset) {
    return group.add_descriptor(all, u8, Layout::strided({5, 5, 5, 5, 5, 5}, strides, offset));
  };
  const auto first = add({14034685, 8711524, 10278465, 14058738, 9146660, 9196786}, 0);
  const auto second = add({9477664, 14158117, 15048951, 10230387, 8824537, 13184200}, 7);
  const auto error = caught<DisjointError>([&] { return group.split_mut({first, second}); });
  CHECK(error.operation() == "split_mut");
  CHECK(error.kind() == DisjointError::Kind::undecided);
  CHECK(error.witness() == nullptr);
  CHECK(error.work() >= search_work_limit_default);
  CHECK(error.operands().second == DisjointError::Operand{DisjointError::Role::slot, 1});
  // Alone, each is a view that writes, and the group has kept both.
  CHECK(group.view_mut(first).rank() == 6);
  CHECK(group.view_mut(second).rank() == 6);
  CHECK(group.descriptor_count() == 3);
}
