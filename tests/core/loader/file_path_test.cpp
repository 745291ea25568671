// SPDX-License-Identifier: Apache-2.0
// inspect_file, as far as the path and what it leads to are concerned.
#include <doctest/doctest.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "file_reports.hpp"
#include "tenure/provider_abi.h"

using namespace tenure;
using namespace tenure_test;

TEST_CASE("inspect_file: nothing there, with the names that are similar") {
  const TemporaryFolder folder;
  folder.copy(fixture("good"), "libprovider.so.1");
  const Problem problem = error_of(folder / "libprovider.so.2");
  CHECK(problem.id == "file.found");
  CHECK(problem.code == TENURE_NOT_FOUND);
  CHECK(problem.message == "the file " + (folder / "libprovider.so.2").string() +
                               " does not exist. Similar: " + (folder / "libprovider.so.1").string());
}

TEST_CASE("inspect_file: a folder that does not exist and a link to nowhere are named") {
  const TemporaryFolder folder;
  CHECK(error_of(folder / "no_folder/x.so").message ==
        "the folder " + (folder / "no_folder").string() + " does not exist");
  std::filesystem::create_symlink("gone.so", folder / "link.so");
  CHECK(error_of(folder / "link.so").message ==
        (folder / "link.so").string() + " is a link to gone.so, which does not exist");
}

TEST_CASE("inspect_file: an empty path, a NUL byte and a loop of links") {
  CHECK(error_of("").message == "the path is empty");
  CHECK(error_of(std::string("a\0b", 3)).message == "the path holds a NUL byte");
  const TemporaryFolder folder;
  std::filesystem::create_symlink("b.so", folder / "a.so");
  std::filesystem::create_symlink("a.so", folder / "b.so");
  CHECK(contains(error_of(folder / "a.so").message, "the path cannot be followed"));
}

TEST_CASE("inspect_file: a file that may not be read names the user") {
  const TemporaryFolder folder;
  const auto path = folder.copy(fixture("good"), "secret.so");
  REQUIRE(::chmod(path.c_str(), 0) == 0);
  // Root may read everything, so it becomes somebody else for the question.
  const bool is_root = ::geteuid() == 0;
  REQUIRE(::chmod(folder.path().c_str(), 0755) == 0);
  if (is_root) REQUIRE(::seteuid(65534) == 0);
  const FileReport report = inspect(path);
  if (is_root) REQUIRE(::seteuid(0) == 0);
  REQUIRE(report.first_error() != nullptr);
  CHECK(report.first_error()->id == "file.readable");
  CHECK(report.first_error()->code == TENURE_PERMISSION_DENIED);
  CHECK(contains(report.first_error()->message, "Permission denied"));
}

TEST_CASE("inspect_file: a folder and a pipe are no files") {
  const TemporaryFolder folder;
  CHECK(error_of(folder.path()).message == "this is a folder, not a file");
  REQUIRE(::mkfifo((folder / "pipe.so").c_str(), 0600) == 0);
  CHECK(error_of(folder / "pipe.so").message == "this is not a regular file");
}

TEST_CASE("inspect_file: a file system from which no code may run is named") {
  struct statvfs mount {};
  if (::statvfs("/proc/version", &mount) != 0 || (mount.f_flag & ST_NOEXEC) == 0) return;
  CHECK(error_of("/proc/version").id == "file.noexec");
}

TEST_CASE("inspect_file: the policy refuses, warns, or does not look") {
  const TemporaryFolder folder;
  const auto path = folder.copy(fixture("good"), "provider.so");
  REQUIRE(::chmod(path.c_str(), 0666) == 0);
  const FileReport strict = inspect_file(path, {.policy = PathPolicy::strict, .alias = {}});
  REQUIRE(strict.first_error() != nullptr);
  CHECK(strict.first_error()->id == "file.owner-mode");
  CHECK(strict.first_error()->stage == LoadStage::policy);
  CHECK(contains(strict.first_error()->message, "is writable by everybody"));

  const FileReport warned = inspect_file(path);
  CHECK(warned.first_error() == nullptr);
  REQUIRE(find(warned, "file.owner-mode") != nullptr);
  CHECK(find(warned, "file.owner-mode")->severity == Severity::warning);

  CHECK(find(inspect(path), "file.owner-mode") == nullptr);
  CHECK_FALSE(inspect(path).policy_findings.empty());
}

TEST_CASE("inspect_file: a name with spaces and other letters, and a relative path") {
  const TemporaryFolder folder;
  const auto path = folder.copy(fixture("clean"), "gr\xc3\xbc\xc3\x9f dich \xf0\x9f\x98\x80.so");
  CHECK(inspect(path).first_error() == nullptr);
  const auto relative = std::filesystem::relative(path);
  CHECK(inspect(relative).path_real == path.string());
  CHECK(inspect(relative).path_given == relative.string());
}
