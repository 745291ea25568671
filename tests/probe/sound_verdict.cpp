// SPDX-License-Identifier: Apache-2.0
// sound_verdict: whether the probe finds nothing wrong with a provider, and skips exactly the rules that
// expected_skips.json lists for it and, in a build with a sanitizer, under "sanitized", for the reasons
// given there.
//
//   sound_verdict PROBE PROVIDER NAME
#include <cstdio>
#include <fstream>
#include <string>

#include "probe_command.hpp"
#include "tenure/provider_note.h"

namespace {

using Json = nlohmann::json;

int judge(const Json& file, Json expected) {
  int complaints = 0;
  for (const Json& rule : file.at("rules")) {
    const std::string name = rule.at("name");
    const std::string verdict = rule.at("verdict");
    const std::string message = rule.at("message");
    if (verdict == "passed" || verdict == "warning") continue;
    const bool is_expected = verdict == "skipped" && expected.contains(name) && expected.at(name) == message;
    expected.erase(name);
    if (is_expected) continue;
    ++complaints;
    std::printf("%s is %s: %s\n", name.c_str(), verdict.c_str(), message.c_str());
  }
  for (const auto& [name, reason] : expected.items()) {
    ++complaints;
    std::printf("%s is listed to be skipped, and was not\n", name.c_str());
  }
  return complaints;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return std::puts("usage: sound_verdict PROBE PROVIDER NAME"), 2;
  const auto run =
      tenure::test::run_probe(argv[1], "check --format json -j 2 '" + std::string(argv[2]) + "'");
  std::ifstream file(EXPECTED_SKIPS);
  const Json lists = Json::parse(file);
  Json expected = lists.at(argv[3]);
  if constexpr (TENURE_SANITIZERS_HERE != 0) expected.update(lists.at("sanitized"));
  int complaints = judge(run.json().at("files").at(0), expected);
  if (run.exit_status != 0) {
    ++complaints;
    std::printf("the probe ended with %d\n", run.exit_status);
  }
  return complaints == 0 ? 0 : 1;
}
