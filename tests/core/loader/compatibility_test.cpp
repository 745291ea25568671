// SPDX-License-Identifier: Apache-2.0
#include "loader/compatibility.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "tenure/provider_note.h"

namespace {

using namespace tenure;

IdentityCard card() {
  return {.abi_major = 1,
          .abi_minor = 4,
          .host_minor_min = 2,
          .isa_level = 0,
          .flags = TENURE_NOTE_DRAFT,
          .sanitizers = 0,
          .id = "org.example.gpu",
          .version = "2.1.0",
          .sdk = TENURE_SDK_VERSION,
          .compiler = "cc"};
}

HostFacts host() { return {.abi_major = 1, .abi_minor = 4, .isa_level = 3, .sanitizers = 0}; }

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("check_compatibility: what fits has no problem") {
  CHECK(check_compatibility(card(), host()).empty());
}

TEST_CASE("check_compatibility: a provider built for a newer minor that an older host will do for fits") {
  auto newer = card();
  newer.abi_minor = 9;
  newer.host_minor_min = 4;
  CHECK(check_compatibility(newer, host()).empty());
}

TEST_CASE("check_compatibility: a host that is too old is told both versions and one thing to do") {
  auto demanding = card();
  demanding.host_minor_min = 7;
  const auto problems = check_compatibility(demanding, host());

  REQUIRE(problems.size() == 1);
  CHECK(problems[0].id == "file.abi-version");
  CHECK(problems[0].message ==
        "org.example.gpu 2.1.0 needs provider ABI 1.7 or newer from the host; this host, "
        "Tenure " TENURE_VERSION ", speaks 1.4");
  CHECK(problems[0].hint == "Update Tenure, or use an older org.example.gpu.");
  CHECK(problems[0].severity == Severity::error);
}

TEST_CASE("check_compatibility: another major is refused in both directions") {
  auto old = card();
  old.abi_major = 0;
  auto problems = check_compatibility(old, host());
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].message ==
        "org.example.gpu 2.1.0 was built for provider ABI 0.4; this host, Tenure " TENURE_VERSION
        ", speaks 1.4");
  CHECK(contains(problems[0].hint, "Update org.example.gpu"));

  auto newer = card();
  newer.abi_major = 2;
  problems = check_compatibility(newer, host());
  REQUIRE(problems.size() == 1);
  CHECK(contains(problems[0].hint, "Update Tenure"));
}

TEST_CASE("check_compatibility: a provider of the final ABI does not fit a host of its draft") {
  auto final_one = card();
  final_one.flags = 0;
  const auto problems = check_compatibility(final_one, host());
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].severity == Severity::error);
  CHECK(contains(problems[0].message, "speaks the draft of it"));
}

TEST_CASE("check_compatibility: a draft of another SDK is a warning") {
  auto other = card();
  other.sdk = "0.0.9";
  const auto problems = check_compatibility(other, host());
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].severity == Severity::warning);
  CHECK(contains(problems[0].message, "was built with SDK 0.0.9"));
}

TEST_CASE("check_compatibility: a processor that lacks instructions is named with both levels") {
  auto wide = card();
  wide.isa_level = 4;
  const auto problems = check_compatibility(wide, host());
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].id == "file.isa-level");
  CHECK(contains(problems[0].message, "needs a processor of level x86-64-v4"));
  CHECK(contains(problems[0].message, "have x86-64-v3"));
}

TEST_CASE(
    "check_compatibility: a sanitizer that only the provider has is an error, only the host a warning") {
  auto sanitized = card();
  sanitized.sanitizers = TENURE_SANITIZER_ADDRESS;
  auto problems = check_compatibility(sanitized, host());
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].severity == Severity::error);
  CHECK(
      contains(problems[0].message, "was built with AddressSanitizer; this process runs with no sanitizer"));

  auto sanitized_host = host();
  sanitized_host.sanitizers = TENURE_SANITIZER_THREAD;
  problems = check_compatibility(card(), sanitized_host);
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].severity == Severity::warning);
  CHECK(contains(problems[0].message, "was built with no sanitizer; this process runs with ThreadSanitizer"));

  sanitized_host.sanitizers = TENURE_SANITIZER_ADDRESS;
  CHECK(check_compatibility(sanitized, sanitized_host).empty());
}

TEST_CASE("check_compatibility: every misfit is listed, the ABI first") {
  auto bad = card();
  bad.host_minor_min = 7;
  bad.isa_level = 4;
  bad.sanitizers = TENURE_SANITIZER_MEMORY;
  const auto problems = check_compatibility(bad, host());
  REQUIRE(problems.size() == 3);
  CHECK(problems[0].id == "file.abi-version");
  CHECK(problems[1].id == "file.isa-level");
  CHECK(problems[2].id == "file.sanitizer");
}

TEST_CASE("host_facts: this process speaks the contract that it was compiled with") {
  CHECK(host_facts().abi_major == TENURE_ABI_MAJOR);
  CHECK(host_facts().abi_minor == TENURE_ABI_MINOR);
  CHECK(host_facts().sanitizers == TENURE_SANITIZERS_HERE);
#if defined(__x86_64__)
  CHECK(host_facts().isa_level >= 1);
#endif
}
