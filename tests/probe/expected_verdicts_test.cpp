// SPDX-License-Identifier: Apache-2.0
#include "expected_verdicts.hpp"

#include <doctest/doctest.h>

namespace {

using Json = nlohmann::json;
using tenure::test::differences;

Json rule(const char* name, const char* verdict, const char* message = "") {
  return {{"name", name}, {"verdict", verdict}, {"message", message}};
}

const Json expected{{"skipped", {{"mem.import-once", "the provider imports no memory"}}},
                    {"warning", Json::object()}};
const Json listed_skip = rule("mem.import-once", "skipped", "the provider imports no memory");

}  // namespace

TEST_SUITE("probe/expected_verdicts") {
  TEST_CASE("differences: a report that is as it is listed has none") {
    CHECK(differences(Json::array({rule("mem.pattern", "passed"), listed_skip}), expected).empty());
  }

  TEST_CASE("differences: a verdict that is not listed is one, whatever it is") {
    for (const char* verdict : {"skipped", "warning", "failed", "crashed", "hung"}) {
      const auto found =
          differences(Json::array({rule("mem.pattern", verdict, "words"), listed_skip}), expected);
      CHECK(found ==
            std::vector<std::string>{std::string("mem.pattern is ") + verdict + " and not listed so: words"});
    }
  }

  TEST_CASE("differences: another reason, and another verdict, than the listed one") {
    const auto reason = differences(Json::array({rule("mem.import-once", "skipped", "words")}), expected);
    CHECK(reason == std::vector<std::string>{
                        "mem.import-once is skipped for another reason than the list gives: words"});
    CHECK(differences(Json::array({rule("mem.import-once", "failed", "words")}), expected).size() == 2);
  }

  TEST_CASE("differences: a listed warning may have any words, and no other verdict") {
    const Json warned{{"warning", {{"file.build-id", "the author wants it so"}}}};
    CHECK(differences(Json::array({rule("file.build-id", "warning", "words")}), warned).empty());
    CHECK(differences(Json::array({rule("file.build-id", "passed")}), warned).size() == 1);
    CHECK(differences(Json::array({rule("file.build-id", "failed")}), warned).size() == 2);
  }

  TEST_CASE("differences: a listed skip that does not happen is one") {
    const std::vector<std::string> wanted{"mem.import-once is listed as skipped, and is not"};
    CHECK(differences(Json::array({rule("mem.import-once", "passed")}), expected) == wanted);
    CHECK(differences(Json::array(), expected) == wanted);
  }
}
