// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "bench_run.hpp"

namespace {

using tenure::test::BenchRun;
using tenure::test::run_bench;
using tenure::test::TemporaryFile;

const std::string provider = std::string(TENURE_TEST_PROVIDERS) + "/libtenure_cpu.so";

struct Suite {
  std::string name;
  std::string memory_max;  // MiB: what some of its cases get by with
};

// As little as measures anything: small operands, no time.
BenchRun run_quickly(const Suite& suite, const std::string& json) {
  return run_bench({"--provider", provider, "--filter", '^' + suite.name + '/', "--min-time", "0.001",
                    "--memory-max", suite.memory_max, "--seed", "7", "--threads", "2", "--json", json});
}

}  // namespace

TEST_SUITE("bench/command_line") {
  TEST_CASE("arguments that are wrong are exit 2, with the reason on stderr and nothing on stdout") {
    for (const BenchRun& wrong :
         {run_bench({"--no-such-option"}), run_bench({"frobnicate"}), run_bench({"--threads", "0"}),
          run_bench({"--threads", "many"}), run_bench({"--min-time", "-1"}), run_bench({"--memory-max", "0"}),
          run_bench({"--seed", "x"}), run_bench({"permute"}), run_bench({"network"}),
          run_bench({"network", "--instance", "x", "--path", "best"}),
          run_bench({"--provider", provider, "--filter", "(", "--list"})}) {
      CHECK(wrong.exit_status == 2);
      CHECK(wrong.out.empty());
      CHECK_FALSE(wrong.error.empty());
    }
  }

  TEST_CASE("a filter that matches no case is exit 2 and says what it was") {
    const BenchRun wrong = run_bench({"--provider", provider, "--filter", "no-such-case"});

    CHECK(wrong.exit_status == 2);
    CHECK(wrong.error.find("no-such-case") != std::string::npos);
    CHECK(wrong.out.empty());
  }

  TEST_CASE("a provider that cannot be loaded is exit 3 and says why") {
    const BenchRun wrong = run_bench({"--provider", "/no/such/provider.so"});

    CHECK(wrong.exit_status == 3);
    CHECK(wrong.error.find("/no/such/provider.so") != std::string::npos);
  }

  TEST_CASE("help and version are exit 0 on stdout") {
    CHECK(run_bench({"--help"}).out.find("--min-time") != std::string::npos);
    CHECK(run_bench({"--version"}).out.starts_with("tenure-bench "));
  }

  TEST_CASE("the list names every case once, and a filter shortens it") {
    const BenchRun all = run_bench({"--provider", provider, "--list"});
    const BenchRun some = run_bench({"--provider", provider, "--list", "--filter", "^views/"});

    REQUIRE(all.exit_status == 0);
    std::istringstream lines(all.out);
    std::set<std::string> names;
    std::size_t count = 0;
    for (std::string line; std::getline(lines, line); ++count) names.insert(line);
    CHECK(names.size() == count);
    CHECK(some.out.find("views/transpose/rank2") != std::string::npos);
    CHECK(some.out.find("pool/") == std::string::npos);
  }

  TEST_CASE("the same seed draws the same shapes and another seed other ones") {
    const auto shapes = [](const char* seed) {
      const TemporaryFile json("");
      run_bench({"--provider", provider, "--filter", "pool/hit/drawn", "--min-time", "0", "--memory-max",
                 "100", "--seed", seed, "--json", json.path()});
      const auto document = nlohmann::json::parse(json.text());
      std::string text;
      for (const auto& row : document.at("results")) text += row.at("shape").get<std::string>();
      return text;
    };

    CHECK_FALSE(shapes("1").empty());
    CHECK(shapes("1") == shapes("1"));
    CHECK(shapes("1") != shapes("2"));
  }

  TEST_CASE("a quick run of each suite passes and its JSON has the promised members") {
    for (const Suite& suite : {Suite{"pool", "1"}, Suite{"views", "1"}, Suite{"elementwise", "1"},
                               Suite{"reduce", "1"}, Suite{"matmul", "1"}, Suite{"linalg", "1"},
                               Suite{"permute", "40"}, Suite{"small", "1"}, Suite{"network", "32"}}) {
      CAPTURE(suite.name);
      const TemporaryFile json("");
      const BenchRun run = run_quickly(suite, json.path());

      CHECK(run.error == "");
      REQUIRE(run.exit_status == 0);
      const auto document = nlohmann::json::parse(json.text());
      CHECK(document.at("machine").at("seed") == 7);
      CHECK(document.at("machine").at("peers").at("libtorch").is_string());
      REQUIRE_FALSE(document.at("results").empty());
      for (const auto& row : document.at("results")) {
        CHECK(row.at("name").get<std::string>().starts_with(suite.name + '/'));
        CHECK(row.at("unit").is_string());
        CHECK((row.at("better") == "lower" || row.at("better") == "higher"));
        CHECK(row.at("ours").at("p25") <= row.at("ours").at("median"));
        CHECK(row.at("ours").at("median") <= row.at("ours").at("p75"));
        CHECK(row.at("peers").size() == row.at("ratio").size());
        for (const auto& [peer, cost] : row.at("peers").items()) {
          CHECK(cost.at("median") >= 0);
          CHECK(row.at("ratio").at(peer).is_number());
        }
      }
    }
  }

  TEST_CASE("a JSON file that cannot be written is exit 2 before anything is measured") {
    const BenchRun wrong = run_bench({"--provider", provider, "--json", "/no/such/folder/file.json"});

    CHECK(wrong.exit_status == 2);
    CHECK(wrong.error.find("/no/such/folder/file.json") != std::string::npos);
    CHECK(wrong.out.empty());
  }
}
