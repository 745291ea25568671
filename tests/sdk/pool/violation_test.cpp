// SPDX-License-Identifier: Apache-2.0
#include "tenure/sdk/pool/violation.hpp"

#include <doctest/doctest.h>

#include <string>

#include "support/death.hpp"

using namespace tenure::sdk::pool;

TEST_CASE("Violation: without a handler the process says which block was damaged on which side and ends") {
  const std::string text = tenure_test::words_of_abort([] {
    ViolationHandler{}({ViolationKind::written_behind_block, nullptr, 100, 103});
  });
  CHECK(text.find("of 100 bytes was written behind its last byte (offset 103)") != text.npos);
}

TEST_CASE("Violation: every kind has its words") {
  CHECK(std::string(violation_text(ViolationKind::written_before_block)) == "written before its first byte");
  CHECK(std::string(violation_text(ViolationKind::written_behind_block)) == "written behind its last byte");
  CHECK(std::string(violation_text(ViolationKind::released_twice)) == "released twice");
}
