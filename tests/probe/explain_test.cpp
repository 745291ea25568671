// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>

#include "command.hpp"
#include "rule.hpp"

using namespace tenure::probe;

TEST_SUITE("probe/explain") {
  TEST_CASE("explain: without a name every rule, code and exit code is listed") {
    const Report report = run_explain({});

    CHECK(report.exit_code == ExitCode::good);
    for (const Rule& rule : all_rules()) {
      CHECK(std::ranges::count(report.explanations, rule.name, &Explanation::name) == 1);
    }
    CHECK(std::ranges::count(report.explanations, "code", &Explanation::kind) == 17);
    CHECK(std::ranges::count(report.explanations, "exit", &Explanation::kind) == 12);
  }

  TEST_CASE("explain: a rule comes with its promise, its consequence, its advice and what it needs") {
    const Report report = run_explain({.names = {"copy.zero"}});

    REQUIRE(report.explanations.size() == 1);
    const Explanation& explanation = report.explanations[0];
    CHECK(explanation.sentence == find_rule("copy.zero")->sentence);
    CHECK(explanation.details.at("if ignored") == find_rule("copy.zero")->if_ignored);
    CHECK(explanation.details.at("to do") == find_rule("copy.zero")->advice);
    CHECK(explanation.details.at("needs").find("copy.pairs") != std::string::npos);
  }

  TEST_CASE("explain: a number is both a code and an exit code, a name is one of them") {
    CHECK(run_explain({.names = {"7"}}).explanations.size() == 2);
    REQUIRE(run_explain({.names = {"RESOURCE_EXHAUSTED"}}).explanations.size() == 1);
    CHECK(run_explain({.names = {"RESOURCE_EXHAUSTED"}}).explanations[0].number == 8);
    CHECK(run_explain({.names = {"hung"}}).explanations[0].number == 8);
  }

  TEST_CASE("explain: an unknown name is a usage error that says where the names are") {
    const Report report = run_explain({.names = {"mem.no-such-rule"}});

    CHECK(report.exit_code == ExitCode::usage);
    REQUIRE(report.explanations.size() == 1);
    CHECK(report.explanations[0].kind == "unknown");
  }
}
