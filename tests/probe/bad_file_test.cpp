// SPDX-License-Identifier: Apache-2.0
// Goal: whatever a path leads to, each command answers with one valid document that says what is there.
// Method: run the probe on files, and on paths, that are no provider.
#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "probe_command.hpp"

namespace {

namespace fs = std::filesystem;
using tenure::test::run_probe;

// A folder with one file of each kind, removed at its end.
class BadFiles {
 public:
  BadFiles() : folder_(fs::temp_directory_path() / (std::to_string(::getpid()) + "-bad files")) {
    fs::create_directory(folder_);
    std::ifstream provider(PROVIDER, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(provider), {}};
    write("empty.so", "");
    write("text.so", "INPUT(libother.so)\n");
    write("header_cut.so", bytes.substr(0, 40));
    write("cut.so", bytes.substr(0, bytes.size() / 2));
    fs::create_directory(folder_ / "folder.so");
    ::mkfifo(path("pipe.so").c_str(), 0600);
    fs::create_symlink("loop.so", folder_ / "loop.so");
    fs::create_symlink("gone.so", folder_ / "link.so");
    // Bytes that are no UTF-8.
    write("\xff\xfe'.so", "text");
  }
  BadFiles(const BadFiles&) = delete;
  BadFiles& operator=(const BadFiles&) = delete;
  ~BadFiles() { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ / name; }

 private:
  void write(const std::string& name, const std::string& content) const {
    std::ofstream(folder_ / name, std::ios::binary) << content;
  }

  fs::path folder_;
};

// A path, and the finding about it.
struct Case {
  std::string path;
  std::string finding;
};

// One word for a shell.
std::string shell_word(std::string word) {
  for (std::size_t at = 0; (at = word.find('\'', at)) != std::string::npos; at += 4)
    word.replace(at, 1, "'\\''");
  return "'" + word + "'";
}

}  // namespace

TEST_SUITE("probe/bad_file") {
  TEST_CASE("every command: what is no provider is exit 3, in one valid document that names what is there") {
    const BadFiles files;
    const std::vector<Case> cases{{files.path("empty.so"), "file.elf"},
                                  {files.path("text.so"), "file.elf"},
                                  {files.path("header_cut.so"), "file.complete"},
                                  {files.path("cut.so"), "file.complete"},
                                  {files.path("folder.so"), "file.regular"},
                                  {files.path("pipe.so"), "file.regular"},
                                  {files.path("loop.so"), "file.found"},
                                  {files.path("link.so"), "file.found"},
                                  {files.path("\xff\xfe'.so"), "file.elf"},
                                  {files.path(std::string(300, 'n')), "file.found"},
                                  {files.path(std::string(5000, '/') + "x"), "file.found"},
                                  {"/dev/null", "file.regular"},
                                  {"", "file.found"}};
    for (const Case& each : cases) {
      CAPTURE(each.path);
      for (const char* command : {"check", "inspect", "inspect --run", "inspect --why"}) {
        CAPTURE(command);
        const auto run =
            run_probe(PROBE, std::string(command) + " --format json -- " + shell_word(each.path));
        const auto report = run.json();
        CHECK(run.exit_status == 3);
        CHECK(report.at("exit").at("code") == 3);
        REQUIRE(report.at("files").size() == 1);
        bool is_named = false;
        for (const auto& problem : report.at("files").at(0).at("problems")) {
          is_named = is_named || problem.at("id") == each.finding;
          CHECK(problem.at("message") != "");
        }
        CHECK(is_named);
      }
    }
  }

  TEST_CASE("every command: a file that this user may not read is named as such") {
    if (::geteuid() == 0) {
      MESSAGE("not tested: root may read every file");
      return;
    }
    const BadFiles files;
    ::chmod(files.path("text.so").c_str(), 0);
    for (const char* command : {"check", "inspect", "inspect --why"}) {
      const auto run =
          run_probe(PROBE, std::string(command) + " --format json " + shell_word(files.path("text.so")));
      CHECK(run.exit_status == 3);
      CHECK(run.output.find("file.readable") != std::string::npos);
    }
  }

  TEST_CASE("check: the command that runs a rule again is one for a shell, whatever the path") {
    const std::string path = fs::temp_directory_path() / (std::to_string(::getpid()) + "-it's.so");
    fs::copy_file(BROKEN, path);
    const auto run = run_probe(PROBE, "check --format json --only file.build-id " + shell_word(path));
    std::string rerun;
    const auto report = run.json();
    for (const auto& rule : report.at("files").at(0).at("rules")) {
      if (rule.at("name") == "file.build-id") rerun = rule.at("rerun");
    }
    REQUIRE(rerun.starts_with("provider-probe "));
    const auto again = run_probe(PROBE, rerun.substr(std::string("provider-probe ").size()));
    fs::remove(path);

    CHECK(again.output.find("file.build-id") != std::string::npos);
    CHECK(again.output.find("has no build id") != std::string::npos);
  }

  TEST_CASE("check: a file that is larger than a copy may be is not blamed for the copy that is not made") {
    const std::string path = fs::temp_directory_path() / (std::to_string(::getpid()) + "-large.so");
    fs::copy_file(PROVIDER, path);
    fs::resize_file(path, (std::uintmax_t{1} << 30) + 1);  // the added bytes take no place
    const auto run = run_probe(PROBE, "check --format json --only load.copy-distinct " + shell_word(path));
    fs::remove(path);
    CHECK(run.exit_status == 0);
    std::string verdict;
    const auto report = run.json();
    for (const auto& rule : report.at("files").at(0).at("rules")) {
      if (rule.at("name") == "load.copy-distinct") verdict = rule.at("verdict");
    }
    CHECK(verdict == "skipped");
    CHECK(run.output.find("larger than a copy may be") != std::string::npos);
  }
}
