// SPDX-License-Identifier: Apache-2.0
#include "tenure/base/provider_error.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <type_traits>
#include <utility>

#include "tenure/abi/struct_head.hpp"

namespace {

using tenure::ProviderError;

tenure_status filled_status() {
  auto status = tenure::abi::make_struct<tenure_status>();
  status.code = TENURE_RESOURCE_EXHAUSTED;
  status.native_code = 2;
  status.flags = TENURE_STATUS_RETRYABLE;
  status.line = 41;
  std::strcpy(status.native_domain, "cuda");
  std::strcpy(status.site, "allocator.cu:create");
  std::strcpy(status.message, "out of device memory");
  return status;
}

}  // namespace

TEST_CASE("ProviderError: an answer keeps all that the status says") {
  const auto error = ProviderError::answered("AllocationDomain::allocate", "org.example.gpu",
                                             "creating 64 bytes", TENURE_RESOURCE_EXHAUSTED, filled_status());
  CHECK(error.code() == tenure::ErrorCode::provider);
  CHECK(error.status_code() == TENURE_RESOURCE_EXHAUSTED);
  CHECK(error.provider() == "org.example.gpu");
  CHECK(error.native_code() == 2);
  CHECK(error.native_domain() == "cuda");
  CHECK(error.site() == "allocator.cu:create:41");
  CHECK(error.retryable());
  CHECK_FALSE(error.sticky());
  CHECK(std::string(error.what()) ==
        "AllocationDomain::allocate: creating 64 bytes failed: org.example.gpu answered RESOURCE_EXHAUSTED: "
        "out of "
        "device memory [cuda 2] (allocator.cu:create:41)");
}

TEST_CASE("ProviderError: a code outside the list is UNKNOWN and quoted") {
  auto status = filled_status();
  const auto error = ProviderError::answered("operation", "p", "working", 4711, status);
  CHECK(error.status_code() == TENURE_UNKNOWN);
  CHECK(std::string(error.what()).find("answered the unknown code 4711") != std::string::npos);
}

TEST_CASE("ProviderError: fields without a terminator and an empty message do no harm") {
  auto status = filled_status();
  std::memset(status.message, 'm', sizeof status.message);
  std::memset(status.site, 's', sizeof status.site);
  std::memset(status.native_domain, 'n', sizeof status.native_domain);
  const auto error = ProviderError::answered("operation", "p", "working", TENURE_INTERNAL, status);
  CHECK(error.native_domain() == std::string(sizeof status.native_domain, 'n'));

  const auto empty = tenure::abi::make_struct<tenure_status>();
  const auto silent = ProviderError::answered("operation", "p", "working", TENURE_INTERNAL, empty);
  CHECK(std::string(silent.what()) == "operation: working failed: p answered INTERNAL: (without a message)");
}

TEST_CASE("ProviderError: a refusal of our own has no native part, and copying never throws") {
  static_assert(std::is_nothrow_copy_constructible_v<ProviderError>);
  static_assert(std::is_final_v<ProviderError>);
  const ProviderError error("Instance::close", "p", TENURE_FAILED_PRECONDITION, "still in use");
  CHECK(error.native_code() == 0);
  CHECK(error.native_domain().empty());
  CHECK(error.site().empty());
  const ProviderError copy = error;
  CHECK(copy.message() == "still in use");
}

TEST_CASE("ProviderError: one that was moved from still says what it said") {
  ProviderError error("Instance::close", "p", TENURE_FAILED_PRECONDITION, "still in use");
  const ProviderError taken = std::move(error);
  CHECK(error.provider() == "p");  // NOLINT(bugprone-use-after-move)
  CHECK(error.status_code() == TENURE_FAILED_PRECONDITION);
  CHECK(std::string(error.what()) == taken.what());
}
