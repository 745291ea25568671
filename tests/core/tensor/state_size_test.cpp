// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "tenure/tensor/host_tensor.hpp"

using namespace tenure;

namespace {

// What owners and views hold when nothing is tracked.
struct PlainOwner {
  Storage storage;
  AxisStorage<1> axes;
  DType dtype;
  bool is_live;
};
struct PlainView {
  std::byte* address;
  AllocationRecord* record;
  Layout layout;
  DType dtype;
  bool is_live;
};

}  // namespace

TEST_CASE(
    "sizes: tracking borrows adds a record and a place to an owner of a checked build, nothing in release") {
  CHECK(sizeof(OwnerState) == sizeof(PlainOwner) + (TENURE_CHECKED ? 3 * sizeof(void*) : 0));
  CHECK(sizeof(HostTensor<double, 2>) == sizeof(OwnerState));
  CHECK(sizeof(OwnerState) <= 160);
}

TEST_CASE("sizes: tracking borrows adds one pointer to a view of a checked build, nothing in release") {
  CHECK(sizeof(ViewState) == sizeof(PlainView) + (TENURE_CHECKED ? sizeof(void*) : 0));
  CHECK(sizeof(TypedTensorViewMut<double, 2>) == sizeof(ViewState));
  CHECK(sizeof(ViewState) <= 160);
}
