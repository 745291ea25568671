// SPDX-License-Identifier: Apache-2.0
#include "command_line.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "support/caught.hpp"
#include "support/providers.hpp"
#include "support/sample_snapshot.hpp"

using namespace tenure;
using tenure_test::contains;

namespace {

struct Run {
  int exit_status;
  std::string out;
  std::string error;
};

Run run(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "pool-report");
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  std::ostringstream out, error;
  const int exit_status =
      pool_report::run_command_line(static_cast<int>(pointers.size()), pointers.data(), out, error);
  return {exit_status, out.str(), error.str()};
}

// A file of the test's, removed at its end.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& content)
      : path_(std::filesystem::temp_directory_path() /
              ("pool-report-" + std::to_string(++count_) + '-' + std::to_string(::getpid()))) {
    std::ofstream(path_) << content;
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { std::filesystem::remove(path_); }

  std::string path() const { return path_.string(); }
  std::string content() const {
    std::ifstream stream(path_);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

 private:
  static inline int count_ = 0;
  std::filesystem::path path_;
};

std::string cpu_file() { return test::provider_file("cpu"); }

}  // namespace

TEST_CASE("pool-report page: the page goes to stdout, or into a file") {
  const TemporaryFile snapshot(to_json(test::sample_snapshot()));
  const Run printed = run({"page", snapshot.path()});
  CHECK(printed.exit_status == 0);
  CHECK(contains(printed.out, "<!doctype html>"));
  const TemporaryFile page("");
  const Run written = run({"page", snapshot.path(), "-o", page.path()});
  CHECK(written.exit_status == 0);
  CHECK(written.out.empty());
  CHECK(page.content() == printed.out);
}

TEST_CASE("pool-report replay: it compares what was recorded with what came of it") {
  const TemporaryFile snapshot(to_json(test::sample_snapshot()));
  const Run same = run({"replay", snapshot.path(), "--provider", cpu_file()});
  CHECK(same.exit_status == 0);
  CHECK(contains(same.out, "10 events of cpu:0/pageable, replayed in cpu:0/pageable"));
  CHECK(contains(same.out, "1,048,576 bytes idle, mode count"));
  CHECK(contains(same.out, "hits                                   1                 1\n"));
  CHECK(contains(same.out, "misses                                 3                 3\n"));
  CHECK(contains(same.out, "peak reserved bytes                3,136             3,136\n"));
  const Run less = run({"replay", snapshot.path(), "--provider", cpu_file(), "--retained-bytes-max", "0"});
  CHECK(contains(less.out, "hits                                   1                 0\n"));
  const Run bypass = run({"replay", snapshot.path(), "--provider", cpu_file(), "--mode", "bypass"});
  CHECK(contains(bypass.out, "misses                                 3                 4\n"));
  const Run fake = run({"replay", snapshot.path(), "--provider", test::provider_file("fake_shared"),
                        "--domain", "fake:0/managed"});
  CHECK(contains(fake.out, "replayed in fake:0/managed"));
}

TEST_CASE("pool-report: what fails is one sentence on stderr and exit status 1") {
  const TemporaryFile snapshot(to_json(test::sample_snapshot()));
  const TemporaryFile cut(to_json(test::sample_snapshot()).substr(0, 300));
  const auto failure = [](const std::vector<std::string>& arguments) {
    const Run failed = run(arguments);
    CHECK(failed.exit_status == 1);
    CHECK(failed.out.empty());
    CHECK(failed.error.starts_with("pool-report: "));
    return failed.error;
  };
  CHECK(contains(failure({"page", "no/such.json"}), "no/such.json: the file cannot be read"));
  CHECK(contains(failure({"page", cut.path()}), "wanted a whole JSON document"));
  CHECK(contains(failure({"replay", cut.path(), "--provider", cpu_file()}), "wanted a whole JSON document"));
  CHECK(contains(failure({"page", snapshot.path(), "-o", "no/such/page.html"}), "cannot be written there"));
  CHECK(contains(failure({"replay", snapshot.path(), "--provider", "no/such.so"}), "no/such.so"));
  CHECK(contains(failure({"replay", snapshot.path(), "--provider", cpu_file(), "--domain", "cpu:9/none"}),
                 "cpu:9/none"));
}

TEST_CASE("pool-report: arguments that it does not take are exit status 2, help is 0") {
  CHECK(run({}).exit_status == 2);
  CHECK(run({"draw"}).exit_status == 2);
  CHECK(run({"page"}).exit_status == 2);
  CHECK(run({"replay", "file"}).exit_status == 2);
  CHECK(run({"replay", "file", "--provider", "p", "--mode", "fast"}).exit_status == 2);
  CHECK(run({"replay", "file", "--provider", "p", "--retained-bytes-max", "-1"}).exit_status == 2);
  const Run help = run({"--help"});
  CHECK(help.exit_status == 0);
  CHECK(contains(help.out, "replay"));
  CHECK(contains(run({"--version"}).out, "pool-report 0.1"));
}
