// SPDX-License-Identifier: Apache-2.0
#include "tenure/base/error.hpp"

#include <doctest/doctest.h>

#include <string>
#include <type_traits>

namespace {

struct TestError final : tenure::Error {
  TestError(std::string operation, std::string message, std::shared_ptr<const tenure::Error> cause = nullptr)
      : Error(tenure::ErrorCode::execution, std::move(operation), std::move(message), std::move(cause)) {}
};

}  // namespace

TEST_CASE("Error: what() has one line for each layer and keeps the inner error whole") {
  auto inner = std::make_shared<const TestError>("inner", "no room");
  const TestError outer("outer", "could not make the output", inner);

  CHECK(std::string(outer.what()) == "outer: could not make the output\n  because inner: no room");
  CHECK(outer.operation() == "outer");
  CHECK(outer.message() == "could not make the output");
  CHECK(outer.cause() == inner);
  CHECK(outer.code() == tenure::ErrorCode::execution);
}

TEST_CASE("Error: copying never throws") {
  static_assert(std::is_nothrow_copy_constructible_v<TestError>);
  static_assert(std::is_nothrow_copy_constructible_v<tenure::Error>);

  const TestError original("operation", "message");
  const TestError copy = original;

  CHECK(copy.what() == original.what());
}

TEST_CASE("error_code_name: every code has its name and an unknown number is unknown") {
  CHECK(tenure::error_code_name(tenure::ErrorCode::validation) == "validation");
  CHECK(tenure::error_code_name(tenure::ErrorCode::empty_owner) == "empty_owner");
  CHECK(tenure::error_code_name(static_cast<tenure::ErrorCode>(999)) == "unknown");
}
