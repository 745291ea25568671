// SPDX-License-Identifier: Apache-2.0
// sound_verdict: whether the probe finds nothing wrong with a provider, and skips and warns exactly as
// expected_verdicts.json lists it for the provider and, in a build with a sanitizer, under "sanitized".
//
//   sound_verdict PROBE PROVIDER NAME
#include <cstdio>
#include <fstream>
#include <string>

#include "expected_verdicts.hpp"
#include "probe_command.hpp"
#include "tenure/provider_note.h"

int main(int argc, char** argv) {
  using Json = nlohmann::json;
  if (argc != 4) return std::puts("usage: sound_verdict PROBE PROVIDER NAME"), 2;
  const auto run =
      tenure::test::run_probe(argv[1], "check --format json -j 2 '" + std::string(argv[2]) + "'");
  std::ifstream file(EXPECTED_VERDICTS);
  const Json lists = Json::parse(file);
  Json expected = lists.at(argv[3]);
  if constexpr (TENURE_SANITIZERS_HERE != 0) {
    const Json& sanitized = lists.at("sanitized");
    for (const auto& [name, reason] : sanitized.at("skipped").items()) expected.at("warning").erase(name);
    expected.update(sanitized, true);
  }

  auto complaints = tenure::test::differences(run.json().at("files").at(0).at("rules"), expected);
  if (run.exit_status != 0) complaints.push_back("the probe ended with " + std::to_string(run.exit_status));
  for (const std::string& complaint : complaints) std::printf("%s\n", complaint.c_str());
  return complaints.empty() ? 0 : 1;
}
