// SPDX-License-Identifier: Apache-2.0
// broken_verdict: whether the probe finds that a provider breaks one rule and keeps all others.
//
//   broken_verdict PROBE PROVIDER RULE
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "probe_command.hpp"

namespace {

using Json = nlohmann::json;

int complaints = 0;

void expect(bool holds, const std::string& complaint) {
  if (holds) return;
  ++complaints;
  std::printf("%s\n", complaint.c_str());
}

bool is_finding(const std::string& verdict) {
  return verdict == "failed" || verdict == "crashed" || verdict == "hung" || verdict == "warning";
}

// A rule beside the broken one passed, or says which rule or what in this provider keeps it from being
// tested.
void judge_other(const Json& rule, const std::map<std::string, std::string>& verdicts) {
  const std::string name = rule.at("name");
  const std::string verdict = rule.at("verdict");
  if (verdict == "passed") return;
  const std::string message = rule.at("message");
  expect(verdict == "skipped", name + " is " + verdict + ": " + message);
  const std::string needs = rule.at("needs");
  if (needs.empty()) {
    std::ifstream file(EXPECTED_VERDICTS);
    const Json lists = Json::parse(file);
    const auto is_expected = [&](const char* list) {
      const Json& skipped = lists.at(list).at("skipped");
      return skipped.contains(name) && skipped.at(name) == message;
    };
    expect(is_expected("unbroken") || is_expected("sanitized"),
           name + " is skipped for a reason that is not expected: " + message);
  } else {
    expect(verdicts.at(needs) != "passed", name + " is skipped since it needs " + needs + ", which passed");
  }
}

void judge(const Json& report, const std::string& broken) {
  const Json& file = report.at("files").at(0);
  std::map<std::string, std::string> verdicts;
  for (const Json& rule : file.at("rules")) verdicts[rule.at("name")] = rule.at("verdict");
  expect(verdicts.contains(broken), "there is no rule " + broken);
  expect(is_finding(verdicts[broken]), broken + " is " + verdicts[broken]);
  for (const Json& rule : file.at("rules")) {
    if (rule.at("name") != broken) judge_other(rule, verdicts);
  }
  const auto passed =
      std::ranges::count_if(verdicts, [](const auto& entry) { return entry.second == "passed"; });
  const auto others = static_cast<std::ptrdiff_t>(verdicts.size()) - 1;
  const bool loads = verdicts["load.entry"] == "passed";
  expect(!loads || 2 * passed >= others, "only " + std::to_string(passed) + " of " + std::to_string(others) +
                                             " other rules were tested and passed");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return std::puts("usage: broken_verdict PROBE PROVIDER RULE"), 2;
  const std::string broken = argv[3];
  const auto run =
      tenure::test::run_probe(argv[1], "check --format json --werror -j 2 '" + std::string(argv[2]) + "'");
  const Json report = run.json();
  judge(report, broken);
  const int exit_code = report.at("exit").at("code");
  expect(exit_code != 0, "the report says exit 0");
  expect(run.exit_status == exit_code, "the probe ended with " + std::to_string(run.exit_status) +
                                           "; its report says " + std::to_string(exit_code));
  if (complaints != 0) std::printf("%s\n", run.output.c_str());
  return complaints == 0 ? 0 : 1;
}
