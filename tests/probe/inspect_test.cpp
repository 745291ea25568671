// SPDX-License-Identifier: Apache-2.0
// Goal: `inspect` says what a file is without running it, and why a provider does not load.
// Method: run the probe on sound, broken and misbehaving libraries of the template, and on other files.
#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "probe_command.hpp"

namespace {

using tenure::test::ProbeRun;
using tenure::test::run_probe;
using Json = nlohmann::json;

std::string library(const std::string& name) { return std::string(PROVIDERS) + "/lib" + name + ".so"; }

ProbeRun inspect(const std::string& arguments) {
  return run_probe(PROBE, "inspect --format json " + arguments);
}

Json first_file(const ProbeRun& run) { return run.json().at("files").at(0); }

bool has_problem(const Json& file, const std::string& id) {
  for (const Json& problem : file.at("problems")) {
    if (problem.at("id") == id) return true;
  }
  return false;
}

// A file of this test, removed at its end.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& name, const std::string& content)
      : path_(std::filesystem::temp_directory_path() / (std::to_string(::getpid()) + name)) {
    std::ofstream(path_) << content;
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { std::filesystem::remove(path_); }
  std::string path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace

TEST_SUITE("probe/inspect") {
  TEST_CASE("inspect: the card, the file and the libraries of a sound provider") {
    const ProbeRun run = inspect(library("unbroken"));

    CHECK(run.exit_status == 0);
    const Json file = first_file(run);
    CHECK(file.at("provider") == "org.tenure.test.broken 1.2.3");
    const Json& facts = file.at("inspection").at("file");
    CHECK(facts.at("id") == "org.tenure.test.broken");
    CHECK(facts.at("abi_built") == facts.at("host_abi"));
    CHECK(facts.at("type") == "shared object");
    CHECK(facts.at("exports_entry") == true);
    CHECK(facts.at("export_count") == 1);
    CHECK(facts.at("relro") == true);
    CHECK(facts.at("file_bytes").get<int>() > 1000);
    CHECK(file.at("inspection").at("run") == nullptr);
    bool needs_libc = false;
    for (const Json& needed : file.at("inspection").at("libraries")) {
      needs_libc = needs_libc || (needed.at("name") == "libc.so.6" && needed.at("path") != "");
    }
    CHECK(needs_libc);
  }

  TEST_CASE("inspect: no code of the file is run") {
    const ProbeRun run = inspect(library("crash_when_mapped"));

    CHECK(run.exit_status == 0);
    CHECK(first_file(run).at("inspection").at("file").at("version") == "1.2.3");
  }

  TEST_CASE("inspect --run: the provider describes its devices, domains, copies and extensions") {
    const ProbeRun run = inspect("--run " + library("unbroken"));

    CHECK(run.exit_status == 0);
    const Json facts = first_file(run).at("inspection").at("run");
    CHECK(facts.at("is_available") == true);
    CHECK(facts.at("trouble") == "");
    CHECK(facts.at("devices").at(0).at("name") == "broken:0");
    REQUIRE(facts.at("domains").size() == 3);
    CHECK(facts.at("domains").at(0).at("access") == "rwc--");
    CHECK(facts.at("domains").at(2).at("memory") == "device");
    CHECK(facts.at("domains").at(2).at("copies_to") == Json{"broken:0/host", "broken:0/device", "host"});
    CHECK(facts.at("extensions") == Json{"tenure.ext.pool/1", "tenure.ext.engine/1"});
  }

  TEST_CASE("inspect --run: a crash and a hang are reported with the call") {
    const ProbeRun crash = inspect("--run " + library("crash_when_mapped"));
    const ProbeRun hang = inspect("--run --timeout-scale 0.02 " + library("hang_in_open"));

    CHECK(crash.exit_status == 7);
    CHECK(first_file(crash).at("inspection").at("run").at("trouble").get<std::string>().find("in dlopen") !=
          std::string::npos);
    CHECK(hang.exit_status == 8);
    CHECK(first_file(hang).at("inspection").at("run").at("trouble").get<std::string>().find("in open") !=
          std::string::npos);
  }

  TEST_CASE("inspect --run: an unavailable provider is exit 6 with its reason") {
    const ProbeRun run = inspect("--run " + library("unavailable"));

    CHECK(run.exit_status == 6);
    CHECK(first_file(run).at("inspection").at("run").at("reason") == "there is no such device");
  }

  TEST_CASE("inspect --why: a load that works shows its steps") {
    const ProbeRun run = inspect("--why " + library("unbroken"));

    CHECK(run.exit_status == 0);
    const Json load = first_file(run).at("inspection").at("load");
    CHECK(load.at("is_loaded") == true);
    CHECK(load.at("steps").size() >= 8);
  }

  TEST_CASE("inspect --why: a missing library is named with the places that were searched") {
    const ProbeRun run = inspect("--why " + library("broken_file_deps_resolved"));

    CHECK(run.exit_status == 4);
    const Json load = first_file(run).at("inspection").at("load");
    CHECK(load.at("problem") == "file.deps-resolved");
    CHECK(load.at("stage") == "dependencies");
    CHECK(load.at("summary").get<std::string>().find("libbroken_dependency.so") != std::string::npos);
    CHECK_FALSE(load.at("searched").empty());
  }

  TEST_CASE("inspect --why: what only running the provider shows is found in the child") {
    const ProbeRun refusal = inspect("--why " + library("broken_load_entry"));
    const ProbeRun table = inspect("--why " + library("broken_abi_heads"));
    const ProbeRun crash = inspect("--why " + library("crash_when_mapped"));

    CHECK(refusal.exit_status == 4);
    CHECK(first_file(refusal).at("inspection").at("load").at("stage") == "entry");
    CHECK(table.exit_status == 1);
    CHECK(first_file(table).at("inspection").at("load").at("problem") == "abi.heads");
    CHECK(crash.exit_status == 7);
    CHECK(first_file(crash).at("inspection").at("load").at("trouble") != "");
  }

  TEST_CASE("inspect --why: a path that leads nowhere is told as it is from the user's folder") {
    const ProbeRun run = inspect("--why no_such_file.so");

    CHECK(run.exit_status == 3);
    const std::string summary = first_file(run).at("inspection").at("load").at("summary");
    const std::string path = std::filesystem::current_path() / "no_such_file.so";
    CHECK(summary.find("the file " + path + " does not exist") != std::string::npos);
  }

  TEST_CASE("inspect: the exit status says what is wrong with the file") {
    const TemporaryFile text("-text.so", "not a library");

    CHECK(inspect("/no/such/file").exit_status == 3);
    CHECK(inspect(PROVIDERS).exit_status == 3);
    CHECK(inspect(text.path()).exit_status == 3);
    CHECK(inspect(library("broken_file_note_present")).exit_status == 3);
    CHECK(inspect(library("broken_file_deps_resolved")).exit_status == 4);
    CHECK(inspect(library("broken_file_symbols_resolved")).exit_status == 4);
    CHECK(inspect(library("broken_file_elf_machine")).exit_status == 5);
    CHECK(inspect(library("broken_file_abi_version")).exit_status == 5);
    CHECK(inspect(library("broken_file_isa_level")).exit_status == 5);
    CHECK(inspect(library("broken_file_no_core_symbols")).exit_status == 0);
    CHECK(inspect("--werror " + library("broken_file_no_core_symbols")).exit_status == 11);
  }

  TEST_CASE("inspect: a file that everybody may write is refused by the strict policy only") {
    const std::string path =
        std::filesystem::temp_directory_path() / (std::to_string(::getpid()) + "-open.so");
    std::filesystem::copy_file(library("unbroken"), path);
    ::chmod(path.c_str(), 0777);

    const ProbeRun warned = inspect(path);
    const ProbeRun refused = inspect("--policy strict " + path);
    const ProbeRun ignored = inspect("--policy off " + path);
    std::filesystem::remove(path);

    CHECK(warned.exit_status == 0);
    CHECK(has_problem(first_file(warned), "file.owner-mode"));
    CHECK(refused.exit_status == 9);
    CHECK(ignored.exit_status == 0);
    CHECK_FALSE(has_problem(first_file(ignored), "file.owner-mode"));
  }

  TEST_CASE("inspect: of several files each has its code, and the gravest decides") {
    const ProbeRun run =
        inspect(library("unbroken") + " " + library("broken_file_deps_resolved") + " /no/such/file");

    CHECK(run.exit_status == 3);
    const Json report = run.json();
    REQUIRE(report.at("files").size() == 3);
    CHECK(report.at("files").at(0).at("exit").at("code") == 0);
    CHECK(report.at("files").at(1).at("exit").at("code") == 4);
    CHECK(report.at("files").at(2).at("exit").at("code") == 3);
    CHECK(report.at("exit").at("code") == 3);
  }

  TEST_CASE("inspect: the text form names the file as given and as found, and how to ask for more") {
    const std::string link =
        std::filesystem::temp_directory_path() / (std::to_string(::getpid()) + "-link.so");
    std::filesystem::create_symlink(library("unbroken"), link);
    const ProbeRun run = run_probe(PROBE, "inspect " + link);
    std::filesystem::remove(link);

    CHECK(run.exit_status == 0);
    CHECK(run.output.starts_with("org.tenure.test.broken 1.2.3\n"));
    CHECK(run.output.find("libunbroken.so") != std::string::npos);
    CHECK(run.output.find("-link.so)") != std::string::npos);
    CHECK(run.output.find("add --run") != std::string::npos);
  }
}
