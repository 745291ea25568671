// SPDX-License-Identifier: Apache-2.0
#include "tenure/loader/provider.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "fixtures.hpp"
#include "tenure/base/provider_error.hpp"
#include "tenure/loader/registry.hpp"

namespace {

using namespace tenure;
using namespace tenure_test;

Provider load(const char* name) {
  Registry registry;
  return registry.load(fixture(name), {.policy = PathPolicy::off, .alias = {}});
}

OpenOptions trouble(int kind) { return {{"trouble", std::to_string(kind)}}; }

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// The error of an open with that trouble; nothing that the provider opened stays open.
ProviderError refusal(int kind) {
  const Provider provider = load("good");
  try {
    provider.open(trouble(kind));
  } catch (const ProviderError& error) {
    CHECK(counts_of(fixture("good")).opens == counts_of(fixture("good")).closes);
    CHECK(error.provider() == "org.tenure.fixture");
    return error;
  }
  FAIL("it opened");
  return ProviderError({}, {}, 0, {});
}

}  // namespace

TEST_CASE("Provider: an available one says so and opens") {
  const Provider provider = load("good");
  const Availability availability = provider.availability();
  CHECK(availability.available);
  CHECK(availability.reason.empty());
  CHECK_FALSE(provider.open().is_closed());
}

TEST_CASE("Provider: an unavailable one gives its reason, and open refuses with it") {
  const Provider provider = load("unavailable");
  CHECK_FALSE(provider.availability().available);
  CHECK(provider.availability().reason == "there is no fixture on this machine");
  try {
    provider.open();
    FAIL("it opened");
  } catch (const ProviderError& error) {
    CHECK(error.status_code() == TENURE_UNAVAILABLE);
    CHECK(error.code() == ErrorCode::provider);
    CHECK(contains(error.what(), "is not available on this machine: there is no fixture on this machine"));
  }
}

TEST_CASE("Provider: what the provider answers to open is passed on with all its parts") {
  const ProviderError error = refusal(FIXTURE_TROUBLE_OPEN_FAILS);
  CHECK(error.status_code() == TENURE_INVALID_ARGUMENT);
  CHECK(error.native_code() == 5);
  CHECK(error.native_domain() == "errno");
  CHECK(error.site() == "fixture_provider.c:fail");
  CHECK(error.operation() == "Provider::open");
  CHECK(contains(error.what(),
                 "opening an instance failed: org.tenure.fixture answered INVALID_ARGUMENT: no such "
                 "option"));
}

TEST_CASE("Provider: an instance that contradicts the contract is closed again and named") {
  CHECK(
      contains(refusal(FIXTURE_TROUBLE_OPEN_GIVES_NULL).what(), "answered OK to open but gave no instance"));
  CHECK(contains(refusal(FIXTURE_TROUBLE_NO_DOMAIN).what(), "with 0 domains"));
  CHECK(contains(refusal(FIXTURE_TROUBLE_SAME_NAME).what(), "two domains the name 'fixture:0/first'"));
  CHECK(contains(refusal(FIXTURE_TROUBLE_ALIGNMENT).what(), "alignment 48, which is no power of two"));
  CHECK(contains(refusal(FIXTURE_TROUBLE_DEFAULT_DOMAIN).what(), "the default domain 7 of 2"));
  CHECK(contains(
      refusal(FIXTURE_TROUBLE_POOL_TABLE).what(),
      "offers tenure.ext.pool/1, but the provider's table is not right: pool.acquire must be a function"));
  const ProviderError gone = refusal(FIXTURE_TROUBLE_DOMAIN_FAILS);
  CHECK(gone.status_code() == TENURE_DATA_LOSS);
  CHECK(contains(gone.what(), "asking for domain 0 failed"));
}
