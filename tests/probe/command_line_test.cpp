// SPDX-License-Identifier: Apache-2.0
#include "command_line.hpp"

#include <doctest/doctest.h>

#include <array>
#include <fstream>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

namespace {

struct Run {
  int exit_status = -1;
  std::string out;
  std::string error;
};

Run run(std::initializer_list<std::string> words) {
  std::vector<std::string> arguments{"provider-probe"};
  arguments.insert(arguments.end(), words);
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  std::ostringstream out;
  std::ostringstream error;
  Run run;
  run.exit_status =
      tenure::probe::run_command_line(static_cast<int>(arguments.size()), pointers.data(), out, error);
  run.out = out.str();
  run.error = error.str();
  return run;
}

}  // namespace

TEST_SUITE("probe/command_line") {
  TEST_CASE("arguments that are wrong are exit 2, with the reason on stderr and nothing on stdout") {
    for (const Run& wrong :
         {run({}), run({"frobnicate"}), run({"check"}), run({"inspect"}),
          run({"check", "--no-such-option", "x"}), run({"check", "-j", "0", "x"}),
          run({"check", "-j", "many", "x"}), run({"--format", "xml", "explain"}),
          run({"check", "--timeout-scale", "-1", "x"}), run({"check", "--unavailable", "maybe", "x"}),
          run({"inspect", "--policy", "lax", "x"})}) {
      CHECK(wrong.exit_status == 2);
      CHECK(wrong.out.empty());
      CHECK_FALSE(wrong.error.empty());
    }
  }

  TEST_CASE("a pattern that matches no rule is exit 2 and names the pattern") {
    const Run wrong = run({"check", "--only", "mem.no-such-rule", PROVIDER});

    CHECK(wrong.exit_status == 2);
    CHECK(wrong.error.find("mem.no-such-rule") != std::string::npos);
    CHECK(wrong.out.empty());
  }

  TEST_CASE("a word that is no command is named, and without a word the commands are") {
    CHECK(run({"frobnicate"}).error.find("frobnicate") != std::string::npos);
    CHECK(run({}).error.find("inspect, check or explain") != std::string::npos);
  }

  TEST_CASE("patterns that leave no rule are exit 2: nothing tested is not nothing wrong") {
    const Run wrong = run({"check", "--only", "mem.pattern", "--skip", "*", PROVIDER});

    CHECK(wrong.exit_status == 2);
    CHECK(wrong.error.find("--skip leaves none") != std::string::npos);
  }

  TEST_CASE("a report that cannot be written is exit 10") {
    std::array<std::string, 3> words{"provider-probe", "explain", "7"};
    std::array<char*, 4> pointers{words[0].data(), words[1].data(), words[2].data(), nullptr};
    std::ofstream full("/dev/full");
    std::ostringstream error;

    CHECK(tenure::probe::run_command_line(3, pointers.data(), full, error) == 10);
    CHECK(error.str().find("cannot be written") != std::string::npos);
  }

  TEST_CASE("help and version are exit 0 on stdout") {
    CHECK(run({"--help"}).exit_status == 0);
    CHECK(run({"check", "--help"}).out.find("--timeout-scale") != std::string::npos);
    CHECK(run({"--version"}).out.starts_with("provider-probe "));
  }

  TEST_CASE("check: what is not there or is no provider file is exit 3 and says so") {
    for (const Run& wrong :
         {run({"check", "/no/such/file"}), run({"check", "/"}), run({"check", __FILE__})}) {
      CHECK(wrong.exit_status == 3);
      CHECK(wrong.out.find("file.") != std::string::npos);
    }
  }

  TEST_CASE("the format may stand before or after the command") {
    for (const Run& good :
         {run({"--format", "json", "explain", "7"}), run({"explain", "7", "--format", "json"})}) {
      CHECK(good.exit_status == 0);
      CHECK(nlohmann::json::parse(good.out).at("command") == "explain");
    }
  }

  TEST_CASE("explain: a name that nothing has is exit 2, and the others are explained") {
    const Run mixed = run({"explain", "mem.pattern", "no.such-name"});

    CHECK(mixed.exit_status == 2);
    CHECK(mixed.out.find("A storage holds the bytes") != std::string::npos);
    CHECK(mixed.out.find("no.such-name") != std::string::npos);
  }
}
