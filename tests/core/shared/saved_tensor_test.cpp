// SPDX-License-Identifier: Apache-2.0
#include "tenure/shared/saved_tensor.hpp"

#include <doctest/doctest.h>

#include "core/shared/shared_values.hpp"
#include "support/caught.hpp"
#include "tenure/base/access_error.hpp"
#include "tenure/base/empty_owner.hpp"
#include "tenure/base/version_error.hpp"
#include "tenure/memory/ledger.hpp"

using namespace tenure;
using tenure_test::caught;
using tenure_test::contains;
using tenure_test::share;
using tenure_test::values_of;
using tenure_test::write_at;

TEST_CASE("SavedTensor: gives back what was saved as long as it is unchanged, without a copy") {
  SharedTensor tensor = share({2}, {1, 2});
  write_at(tensor, {0}, 5);
  const LedgerScope scope;
  const SavedTensor saved(tensor);
  CHECK(saved.version() == 1);
  CHECK(shares_counter(saved.unpack(), tensor));
  CHECK(saved.read().view().as_typed<double>().at(0) == 5.0);
  CHECK(scope.copies() == 0);
  CHECK(values_of(saved.unpack()) == std::vector<double>{5, 2});
}

TEST_CASE("SavedTensor: a change in place since, through any alias, is an error that names both versions") {
  const SharedTensor tensor = share({2, 2}, {1, 2, 3, 4});
  const SavedTensor saved(tensor.select(0, 0));
  SharedTensor other = tensor.select(1, 1);
  write_at(other, {0}, 7);
  write_at(other, {1}, 8);
  const auto error = caught<VersionError>([&] { return saved.unpack().version(); });
  CHECK(error.kind() == VersionError::Kind::changed);
  CHECK(error.operation() == "SavedTensor::unpack");
  CHECK(error.saved_version() == 0);
  CHECK(error.current_version() == 2);
  CHECK(contains(error.advice(), "clone()"));
  CHECK(caught<VersionError>([&] { return saved.read(); }).operation() == "SavedTensor::read");
  write_at(other, {0}, 9);  // the guard of the refused read has ended
}

TEST_CASE("SavedTensor: a change of a clone, or a saved clone, is no change") {
  SharedTensor tensor = share({2}, {1, 2});
  const SavedTensor saved(tensor);
  SharedTensor clone = tensor.clone();
  write_at(clone, {0}, 5);
  CHECK(values_of(saved.unpack()) == std::vector<double>{1, 2});
  const SavedTensor saved_clone(tensor.clone());
  write_at(tensor, {0}, 6);
  CHECK(values_of(saved_clone.unpack()) == std::vector<double>{1, 2});
  CHECK_THROWS_AS(saved.unpack(), VersionError);
}

TEST_CASE("SavedTensor: what is saved while it is written counts as changed") {
  SharedTensor tensor = share({2}, {1, 2});
  auto guard = tensor.write();
  const SavedTensor saved(tensor);
  CHECK_THROWS_AS(saved.read(), AccessError);
  guard.publish();
  CHECK_THROWS_AS(saved.read(), VersionError);
}

TEST_CASE("SavedTensor: keeps the storage alive, and nobody writes what it reads") {
  SharedTensor tensor = share({2}, {1, 2});
  const SavedTensor saved(tensor);
  const auto guard = saved.read();
  CHECK_THROWS_AS(tensor.write(), AccessError);
  tensor = share({1}, {0});
  CHECK(guard.view().as_typed<double>().at(1) == 2.0);
}

TEST_CASE("SavedTensor: a moved-from tensor cannot be saved") {
  SharedTensor tensor = share({2}, {1, 2});
  const SharedTensor other = std::move(tensor);
  CHECK(caught<EmptyOwner>([&] { return SavedTensor(tensor); }).operation() == "SavedTensor");
}
