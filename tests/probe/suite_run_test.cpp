// SPDX-License-Identifier: Apache-2.0
#include "suite_run.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <set>

#include "probe_fault.hpp"
#include "usage_error.hpp"

namespace {

using namespace tenure::probe;

RuleResult result_of(const Rule& rule, Verdict verdict) {
  RuleResult result;
  result.name = rule.name;
  result.verdict = verdict;
  return result;
}

// Runs all rules with a runner that lets every rule pass but those in `verdicts`.
std::vector<RuleResult> run_with(const std::map<std::string, Verdict>& verdicts, unsigned jobs = 3) {
  return run_suite(select_rules({}), jobs, [&](const Rule& rule) {
    const auto found = verdicts.find(std::string(rule.name));
    return result_of(rule, found == verdicts.end() ? Verdict::passed : found->second);
  });
}

const RuleResult& named(const std::vector<RuleResult>& results, std::string_view name) {
  return *std::ranges::find(results, name, &RuleResult::name);
}

std::set<std::string_view> names(const std::vector<const Rule*>& rules) {
  std::set<std::string_view> all;
  for (const Rule* rule : rules) all.insert(rule->name);
  return all;
}

}  // namespace

TEST_SUITE("probe/suite_run") {
  TEST_CASE("select_rules: patterns choose rules together with what they need") {
    const auto chosen = names(select_rules({.only = {"fill.zero-*"}}));

    CHECK(chosen.contains("fill.zero-bytes"));
    CHECK(chosen.contains("fill.patterns"));
    CHECK(chosen.contains("mem.pattern"));
    CHECK(chosen.contains("load.now"));
    CHECK(chosen.contains("life.open-close"));
    CHECK_FALSE(chosen.contains("fill.writes-only-range"));
  }

  TEST_CASE("select_rules: a skipped rule is left out, also where another needs it") {
    const auto chosen = names(select_rules({.only = {"fill.*"}, .skip = {"mem.*"}}));

    CHECK(chosen.contains("fill.patterns"));
    CHECK_FALSE(chosen.contains("mem.pattern"));
  }

  TEST_CASE("select_rules: a pattern that matches no rule is a usage error") {
    CHECK_THROWS_AS(select_rules({.only = {"mem.one-byt"}}), UsageError);
    CHECK_THROWS_AS(select_rules({.only = {"mem.*", "mme.*"}}), UsageError);
    CHECK_THROWS_AS(select_rules({.skip = {"mme.*"}}), UsageError);
  }

  TEST_CASE("run_suite: every rule has one result, in the order of the rules") {
    const auto results = run_with({});

    CHECK(results.size() == all_rules().size());
    CHECK(std::ranges::equal(results, all_rules(), {}, &RuleResult::name, &Rule::name));
  }

  TEST_CASE("run_suite: no rule starts before its prerequisites are done") {
    std::mutex mutex;
    std::set<std::string_view> done;
    std::atomic<bool> in_order = true;
    run_suite(select_rules({}), 8, [&](const Rule& rule) {
      const std::lock_guard lock(mutex);
      for (const std::string_view name : rule.prerequisites()) in_order = in_order && done.contains(name);
      done.insert(rule.name);
      return result_of(rule, Verdict::passed);
    });

    CHECK(in_order);
  }

  TEST_CASE("run_suite: rules that need one that failed are skipped and name it") {
    const auto results = run_with({{"mem.pattern", Verdict::failed}});

    CHECK(named(results, "copy.pairs").verdict == Verdict::skipped);
    CHECK(named(results, "copy.pairs").needs == "mem.pattern");
    CHECK(named(results, "copy.zero").needs == "mem.pattern");
    CHECK(named(results, "copy.zero").message == "needs mem.pattern, which failed");
    CHECK(named(results, "mem.one-byte").verdict == Verdict::passed);
  }

  TEST_CASE("run_suite: what a rule lacks is lacking for those that need it too") {
    const auto results = run_suite(select_rules({}), 2, [](const Rule& rule) {
      RuleResult result = result_of(rule, Verdict::passed);
      if (rule.name != "pool.acquire") return result;
      result.verdict = Verdict::skipped;
      result.message = "the provider offers no pool";
      return result;
    });

    CHECK(named(results, "pool.give-back").verdict == Verdict::skipped);
    CHECK(named(results, "pool.give-back").message == "the provider offers no pool");
    CHECK(named(results, "pool.give-back").needs.empty());
  }

  TEST_CASE("run_suite: when opening crashes nothing that opens is run, when it fails the rules find out") {
    CHECK(named(run_with({{"life.open-close", Verdict::crashed}}), "mem.one-byte").verdict ==
          Verdict::skipped);
    CHECK(named(run_with({{"life.open-close", Verdict::hung}}), "mem.one-byte").verdict == Verdict::skipped);
    CHECK(named(run_with({{"life.open-close", Verdict::failed}}), "mem.one-byte").verdict == Verdict::passed);
  }

  TEST_CASE("run_suite: a rule that only warns does not keep others from being tested") {
    CHECK(named(run_with({{"load.now", Verdict::warning}}), "mem.one-byte").verdict == Verdict::passed);
  }

  TEST_CASE("run_suite: a skip that blames a rule which passed is a failure") {
    const auto results = run_suite(select_rules({}), 2, [](const Rule& rule) {
      RuleResult result = result_of(rule, Verdict::passed);
      if (rule.name != "mem.one-byte") return result;
      result.verdict = Verdict::skipped;
      result.needs = "mem.pattern";
      return result;
    });

    CHECK(named(results, "mem.one-byte").verdict == Verdict::failed);
    CHECK(named(results, "mem.one-byte").message.find("although mem.pattern passed") != std::string::npos);
  }

  TEST_CASE("run_suite: a result of another rule is a fault of the probe") {
    CHECK_THROWS_AS(run_suite(select_rules({}), 1,
                              [](const Rule&) { return result_of(all_rules().back(), Verdict::passed); }),
                    ProbeFault);
  }

  TEST_CASE("run_suite: a fault while a rule runs ends the suite with it") {
    CHECK_THROWS_AS(
        run_suite(select_rules({}), 3, [](const Rule&) -> RuleResult { throw ProbeFault("no pipe"); }),
        ProbeFault);
  }

  TEST_CASE("exit_code_of: the gravest verdict decides") {
    CHECK(exit_code_of(run_with({}), {}) == ExitCode::good);
    CHECK(exit_code_of(run_with({{"mem.zero-bytes", Verdict::failed}}), {}) == ExitCode::findings);
    CHECK(exit_code_of(run_with({{"load.now", Verdict::failed}}), {}) == ExitCode::not_loadable);
    CHECK(exit_code_of(run_with({{"mem.zero-bytes", Verdict::failed}, {"mem.one-byte", Verdict::hung}}),
                       {}) == ExitCode::hung);
    CHECK(exit_code_of(run_with({{"mem.zero-bytes", Verdict::crashed}, {"mem.one-byte", Verdict::hung}}),
                       {}) == ExitCode::crashed);
    CHECK(exit_code_of(run_with({{"mem.zero-bytes", Verdict::warning}}), {}) == ExitCode::good);
    CHECK(exit_code_of(run_with({{"mem.zero-bytes", Verdict::warning}}), {.warnings_count = true}) ==
          ExitCode::warnings);
  }
}
