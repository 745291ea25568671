// SPDX-License-Identifier: Apache-2.0
#include "loader/path_policy.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "loader/process_facts.hpp"
#include "temporary_folder.hpp"
#include "tenure/provider_abi.h"

namespace {

using namespace tenure;
using tenure_test::TemporaryFolder;

// What is found about the file and its own folder; the folders above are the machine's business.
std::vector<std::string> found_below(const TemporaryFolder& folder, const std::string& file) {
  std::vector<std::string> whats;
  for (const PathFinding& finding : path_policy_findings(file)) {
    if (finding.path.starts_with(folder.path().string())) whats.push_back(finding.what);
  }
  return whats;
}

}  // namespace

TEST_CASE("path_policy_findings: a file that only its user can change has none of its own") {
  const TemporaryFolder folder;
  const std::string file = (folder / "provider.so").string();
  std::ofstream(file) << "x";
  REQUIRE(::chmod(file.c_str(), 0644) == 0);
  CHECK(found_below(folder, file).empty());
}

TEST_CASE("path_policy_findings: a writable file, a writable folder and a sticky folder are found") {
  const TemporaryFolder folder;
  const std::string file = (folder / "provider.so").string();
  std::ofstream(file) << "x";
  REQUIRE(::chmod(file.c_str(), 0666) == 0);
  CHECK(found_below(folder, file) == std::vector<std::string>{file + " is writable by everybody"});
  REQUIRE(::chmod(file.c_str(), 0664) == 0);
  const auto by_group = found_below(folder, file);
  REQUIRE(by_group.size() == 1);
  CHECK(by_group[0].find("is writable by group") != std::string::npos);
  REQUIRE(::chmod(file.c_str(), 0644) == 0);
  REQUIRE(::chmod(folder.path().c_str(), 01777) == 0);
  CHECK(found_below(folder, file) ==
        std::vector<std::string>{folder.path().string() + " is writable by everybody"});
}

TEST_CASE(
    "path_policy_problems: errors when strict, warnings otherwise, one for the file and one for folders") {
  const std::vector<PathFinding> findings{{"/p/x.so", "/p/x.so is writable by everybody"},
                                          {"/p", "/p belongs to user 7"},
                                          {"/", "/ is writable by everybody"}};
  const auto strict = path_policy_problems(findings, "/p/x.so", PathPolicy::strict);
  REQUIRE(strict.size() == 2);
  CHECK(strict[0].id == "file.owner-mode");
  CHECK(strict[0].severity == Severity::error);
  CHECK(strict[0].code == TENURE_PERMISSION_DENIED);
  CHECK(strict[1].id == "file.parents-writable");
  CHECK(strict[1].culprit == "/p");
  CHECK(strict[1].message ==
        "others could change what is loaded: /p belongs to user 7, / is writable by everybody");

  const auto warned = path_policy_problems(findings, "/p/x.so", PathPolicy::warn);
  REQUIRE(warned.size() == 2);
  CHECK(warned[0].severity == Severity::warning);
  CHECK(path_policy_problems({}, "/p/x.so", PathPolicy::strict).empty());
}

TEST_CASE("default_path_policy: strict only for a process with more rights than its user") {
  CHECK(default_path_policy(false) == PathPolicy::warn);
  CHECK(default_path_policy(true) == PathPolicy::strict);
  CHECK(path_policy_name(PathPolicy::strict) == "strict");
  CHECK(path_policy_name(static_cast<PathPolicy>(9)) == "unknown");
}
