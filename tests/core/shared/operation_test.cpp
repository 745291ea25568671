// SPDX-License-Identifier: Apache-2.0
// Operations of an engine on shared tensors, through the views of their guards.
#include <doctest/doctest.h>

#include <optional>

#include "core/shared/shared_values.hpp"
#include "support/caught.hpp"
#include "support/providers.hpp"
#include "tenure/tenure.hpp"

using namespace tenure;
using tenure_test::caught;
using tenure_test::share;
using tenure_test::values_of;

TEST_CASE("operations: read a guard's view and share their output without a copy") {
  const Engine engine = test::open("cpu").engine({});
  const SharedTensor x = share({2, 2}, {1, 2, 3, 4});
  const LedgerScope scope;
  const SharedTensor sum = SharedTensor::from(engine.add(x.read().view(), x.transposed().read().view()));
  CHECK(scope.copies() == 0);
  CHECK(values_of(sum) == std::vector<double>{2, 5, 5, 8});
  CHECK(sum.version() == 0);
}

TEST_CASE("operations: change a shared tensor in place through a write guard") {
  const Engine engine = test::open("cpu").engine({});
  const SharedTensor x = share({2, 2}, {1, 2, 3, 4});
  SharedTensor row = x.select(0, 0);
  {
    auto guard = row.write();
    engine.add_into(guard.view(), 10.0, guard.view());
    guard.publish();
  }
  CHECK(values_of(x) == std::vector<double>{11, 2, 13, 4});
  CHECK(x.version() == 1);
}

TEST_CASE("operations: a destination that overlaps an input otherwise than index by index is refused") {
  const Engine engine = test::open("cpu").engine({});
  SharedTensor x = share({2, 2}, {1, 2, 3, 4});
  {
    const auto guard = x.write();
    // DisjointError of the engine; in a checked build BorrowError of the second view, before that.
    CHECK_THROWS_AS(engine.add_into(guard.view().transposed(), 1.0, guard.view()), Error);
  }
  CHECK(values_of(x) == std::vector<double>{1, 2, 3, 4});
}

TEST_CASE("operations: an output goes back to its pool with the last handle") {
  const Engine engine = test::open("cpu").engine({.pool = {.mode = PoolMode::count}});
  const SharedTensor x = share({2}, {1, 2});
  {
    const SharedTensor y = SharedTensor::from(engine.exp(x.read().view()));
    std::optional<SharedTensor> part = y.select(0, 0);
    part.reset();
    CHECK(engine.pool_statistics().buffers == 0);
  }
  CHECK(engine.pool_statistics().buffers == 1);
}

TEST_CASE("operations: work in a domain of a provider as well") {
  const Instance shared = test::open("fake_shared");
  const AllocationDomain domain = shared.domain("fake:0/managed");
  const Engine engine = test::open("cpu").engine({.domain = domain});
  const auto host = HostTensor<double>::from_vec_col_major({2}, {1, 2});
  SharedTensor x = SharedTensor::from(upload(host.as_view(), domain).into_dynamic());
  {
    auto guard = x.write();
    engine.multiply_into(guard.view(), 3.0, guard.view());
    guard.publish();
  }
  const SharedTensor clone = x.clone();
  CHECK(clone.domain() == domain);
  CHECK(values_of(SharedTensor::from(download(clone.read().view()))) == std::vector<double>{3, 6});
}
