// SPDX-License-Identifier: Apache-2.0
#include "rule.hpp"

#include <doctest/doctest.h>

#include <map>
#include <set>
#include <string>

#include "exit_code.hpp"

using namespace tenure::probe;

TEST_SUITE("probe/rule") {
  TEST_CASE("all_rules: names are unique, and every rule has its sentences, a deadline and a test") {
    std::set<std::string_view> names;
    for (const Rule& rule : all_rules()) {
      CAPTURE(rule.name);
      CHECK(names.insert(rule.name).second);
      CHECK(rule.name.find('.') != std::string_view::npos);
      for (const std::string_view text : {rule.sentence, rule.if_ignored, rule.advice}) {
        CHECK(text.ends_with('.'));
        CHECK(text.find("  ") == std::string_view::npos);
      }
      CHECK(rule.deadline_s > 0);
      CHECK((rule.check != nullptr) == rule.runs_provider());
      CHECK((rule.judge != nullptr) == !rule.runs_provider());
    }
  }

  TEST_CASE("all_rules: every prerequisite stands before the rules that need it") {
    std::set<std::string_view> before;
    for (const Rule& rule : all_rules()) {
      for (const std::string_view name : rule.prerequisites()) {
        CHECK_MESSAGE(before.contains(name), rule.name, " needs ", name);
      }
      before.insert(rule.name);
    }
  }

  TEST_CASE("all_rules: each family has at least four rules and half of them all run provider code") {
    std::map<std::string_view, int> families;
    std::size_t running = 0;
    for (const Rule& rule : all_rules()) {
      ++families[rule.family()];
      if (rule.runs_provider()) ++running;
    }
    for (const char* family : {"load", "life", "abi", "mem", "copy"}) CHECK(families[family] >= 4);
    CHECK(all_rules().size() >= 24);
    CHECK(running >= 14);
    CHECK(2 * running >= all_rules().size());
  }

  TEST_CASE("find_rule: a name gives its rule, another text gives null") {
    REQUIRE(find_rule("mem.pattern") != nullptr);
    CHECK(find_rule("mem.pattern")->name == "mem.pattern");
    CHECK(find_rule("mem.pattern ") == nullptr);
    CHECK(find_rule("") == nullptr);
  }

  TEST_CASE("exit codes: numbers run from 0, and the graver of two is the one that stands first") {
    for (std::int32_t number = 0; number < static_cast<std::int32_t>(exit_codes().size()); ++number) {
      REQUIRE(find_exit_code(number).has_value());
      CHECK(static_cast<std::int32_t>(find_exit_code(number)->code) == number);
    }
    CHECK_FALSE(find_exit_code(12).has_value());
    CHECK(graver(ExitCode::good, ExitCode::warnings) == ExitCode::warnings);
    CHECK(graver(ExitCode::crashed, ExitCode::findings) == ExitCode::crashed);
    CHECK(graver(ExitCode::hung, ExitCode::crashed) == ExitCode::crashed);
    CHECK(graver(ExitCode::unavailable, ExitCode::findings) == ExitCode::findings);
    CHECK(graver(ExitCode::probe_fault, ExitCode::crashed) == ExitCode::probe_fault);
  }
}
