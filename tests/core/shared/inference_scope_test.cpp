// SPDX-License-Identifier: Apache-2.0
#include "tenure/shared/inference_scope.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <thread>

#include "core/shared/shared_values.hpp"
#include "support/caught.hpp"
#include "tenure/base/version_error.hpp"
#include "tenure/shared/saved_tensor.hpp"

using namespace tenure;
using tenure_test::caught;
using tenure_test::share;
using tenure_test::value_at;
using tenure_test::values_of;
using tenure_test::write_at;

namespace {

SharedTensor made_in_scope() {
  const InferenceScope scope;
  return share({2}, {1, 2});
}

}  // namespace

TEST_CASE("InferenceScope: holds for its thread until it ends, and the innermost holds") {
  CHECK_FALSE(InferenceScope::is_active());
  {
    const InferenceScope outer;
    CHECK(InferenceScope::is_active());
    {
      const InferenceScope interruption(false);
      CHECK_FALSE(InferenceScope::is_active());
      CHECK(share({1}, {1}).version() == 0);
    }
    CHECK(InferenceScope::is_active());
    std::thread([] { CHECK_FALSE(InferenceScope::is_active()); }).join();
  }
  CHECK_FALSE(InferenceScope::is_active());
}

TEST_CASE("InferenceScope: a tensor made in one has no version for ever") {
  const SharedTensor tensor = made_in_scope();
  CHECK(tensor.is_inference());
  CHECK_FALSE(share({1}, {1}).is_inference());
  const auto error = caught<VersionError>([&] { return tensor.version(); });
  CHECK(error.kind() == VersionError::Kind::not_counted);
  CHECK(error.operation() == "version");
  CHECK(values_of(tensor) == std::vector<double>{1, 2});
}

TEST_CASE("InferenceScope: views and aliases of its tensors inherit that, wherever they are made") {
  const SharedTensor tensor = made_in_scope();
  const SharedTensor view = tensor.select(0, 1);
  const SharedTensor alias = tensor;
  CHECK(view.is_inference());
  CHECK_THROWS_AS(view.version(), VersionError);
  CHECK_THROWS_AS(alias.version(), VersionError);
  CHECK_THROWS_AS(tensor.as_strided({1}, {1}).version(), VersionError);
  CHECK_FALSE(shares_counter(tensor, view));
}

TEST_CASE("InferenceScope: a view made in one of a tensor from outside counts as before") {
  SharedTensor tensor = share({2}, {1, 2});
  std::optional<SharedTensor> view;
  {
    const InferenceScope scope;
    view = tensor.select(0, 0);
    write_at(*view, {}, 5);
  }
  CHECK_FALSE(view->is_inference());
  CHECK(view->version() == 1);
  CHECK(shares_counter(*view, tensor));
}

TEST_CASE("InferenceScope: its tensors are written in a scope only") {
  SharedTensor tensor = made_in_scope();
  const auto error = caught<VersionError>([&] { return tensor.write(); });
  CHECK(error.operation() == "write");
  CHECK(error.kind() == VersionError::Kind::not_counted);
  const InferenceScope scope;
  write_at(tensor, {0}, 7);
  CHECK(value_at(tensor, {0}) == 7.0);
}

TEST_CASE("InferenceScope: its tensors cannot be saved, but their clones made outside can") {
  const SharedTensor tensor = made_in_scope();
  CHECK(caught<VersionError>([&] { return SavedTensor(tensor); }).operation() == "SavedTensor");
  CHECK(SavedTensor(tensor.clone()).version() == 0);
  const InferenceScope scope;
  CHECK(share({1}, {1}).clone().is_inference());
}
