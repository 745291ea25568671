// SPDX-License-Identifier: Apache-2.0
#include "tenure/shared/shared_guard.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <utility>

#include "core/shared/shared_values.hpp"
#include "support/caught.hpp"
#include "tenure/base/access_error.hpp"
#include "tenure/base/empty_owner.hpp"
#include "tenure/base/validation_error.hpp"

using namespace tenure;
using tenure_test::caught;
using tenure_test::share;
using tenure_test::value_at;
using tenure_test::values_of;
using tenure_test::write_at;

template <class T>
concept CanWrite = requires(T& tensor) {
  tensor.write();
};
static_assert(CanWrite<SharedTensor> && !CanWrite<const SharedTensor>);
static_assert(!std::is_copy_constructible_v<SharedReadGuard> &&
              !std::is_copy_constructible_v<SharedWriteGuard>);

TEST_CASE("read: any number of guards go together, also through aliases") {
  const SharedTensor tensor = share({3}, {1, 2, 3});
  const SharedTensor part = tensor.select(0, 1);
  const auto first = tensor.read();
  const auto second = tensor.read();
  const auto third = part.read();
  CHECK(first.view().as_typed<double>()(2) == 3.0);
  CHECK(third.view().as_typed<double>().at() == 2.0);
  CHECK(tensor.version() == 0);
}

TEST_CASE("write: a reader is in the way, also of other elements, and the conflict is answered at once") {
  SharedTensor tensor = share({3}, {1, 2, 3});
  SharedTensor last = tensor.select(0, 2);
  {
    const auto reading = tensor.select(0, 0).read();
    const auto error = caught<AccessError>([&] { return last.write(); });
    CHECK(error.kind() == AccessError::Kind::in_use);
    CHECK(error.operation() == "write");
    CHECK(error.found() == "1 guard that reads it");
    const auto second = tensor.read();
    CHECK(caught<AccessError>([&] { return last.write(); }).found() == "2 guards that read it");
    CHECK(tensor.version() == 0);
  }
  write_at(last, {}, 4);
  CHECK(tensor.version() == 1);
}

TEST_CASE("write: excludes readers, other writers and clones until it ends") {
  SharedTensor tensor = share({3}, {1, 2, 3});
  SharedTensor alias = tensor;
  auto guard = tensor.write();
  const auto error = caught<AccessError>([&] { return alias.read(); });
  CHECK(error.kind() == AccessError::Kind::in_use);
  CHECK(error.operation() == "read");
  CHECK(error.found() == "a guard that writes it");
  CHECK_THROWS_AS(alias.write(), AccessError);
  CHECK(caught<AccessError>([&] { return alias.clone(); }).operation() == "clone");
  CHECK(alias.version() == 0);
  guard.publish();
  CHECK(alias.version() == 1);
  CHECK(values_of(alias) == std::vector<double>{1, 2, 3});
}

TEST_CASE("write: publishing ends the guard once") {
  SharedTensor tensor = share({1}, {1});
  auto guard = tensor.write();
  guard.publish();
  CHECK(caught<EmptyOwner>([&] { return guard.view().dtype(); }).code() == ErrorCode::empty_owner);
  guard.publish();
  CHECK(tensor.version() == 1);
}

TEST_CASE("write: a guard that an exception destroys counts as a change and lets others in") {
  SharedTensor tensor = share({2}, {1, 2});
  try {
    const auto guard = tensor.write();
    guard.view().as_typed<double>().at(0) = 9;
    throw 1;
  } catch (int) {
  }
  CHECK(tensor.version() == 1);
  CHECK(value_at(tensor, {0}) == 9.0);
}

TEST_CASE("write: the guard's view has the layout of its handle") {
  SharedTensor tensor = share({2, 3}, {1, 4, 2, 5, 3, 6});
  SharedTensor row = tensor.transposed().select(1, 1);
  auto guard = row.write();
  guard.view().as_typed<double>().at(2) = 60;
  guard.publish();
  CHECK(value_at(tensor, {1, 2}) == 60.0);
}

TEST_CASE("write: overlapping readings are refused before anything is locked") {
  SharedTensor tensor = share({3}, {1, 2, 3});
  SharedTensor windows = tensor.as_strided({2, 2}, {1, 1});
  const auto error = caught<ValidationError>([&] { return windows.write(); });
  CHECK(error.get_if<OverlappingMutableLayout>() != nullptr);
  SharedTensor repeated = tensor.slice(0, Slice{0, 1}).broadcast_to({4});
  CHECK_THROWS_AS(repeated.write(), ValidationError);
  CHECK(values_of(windows) == std::vector<double>{1, 2, 2, 3});
  CHECK(tensor.version() == 0);
  write_at(tensor, {0}, 7);
}

TEST_CASE("guards: keep the storage alive without a handle") {
  std::optional<SharedTensor> tensor = share({2}, {1, 2});
  const auto reading = tensor->read();
  tensor.reset();
  CHECK(reading.view().as_typed<double>().at(1) == 2.0);

  auto other = share({2}, {3, 4}).write();
  other.view().as_typed<double>().at(1) = 5;
  CHECK(other.view().as_read().as_typed<double>().at(1) == 5.0);
}

TEST_CASE("guards: moving one moves the use, and assigning to one ends the use that it had") {
  SharedTensor a = share({1}, {1});
  SharedTensor b = share({1}, {2});
  {
    auto first = a.read();
    auto moved = std::move(first);
    CHECK_THROWS_AS(a.write(), AccessError);
    moved = b.read();
    write_at(a, {0}, 3);
    CHECK_THROWS_AS(b.write(), AccessError);
    CHECK(moved.view().as_typed<double>().at(0) == 2.0);
  }
  {
    auto writing = a.write();
    auto moved = std::move(writing);
    CHECK(a.version() == 1);
    moved = b.write();
    CHECK(a.version() == 2);
    CHECK(b.version() == 0);
    CHECK(value_at(a, {0}) == 3.0);
  }
  CHECK(a.version() == 2);
  CHECK(b.version() == 1);
}
