// SPDX-License-Identifier: Apache-2.0
#include "tenure/loader/file_report.hpp"

#include <dlfcn.h>
#include <doctest/doctest.h>
#include <elf.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "file_reports.hpp"
#include "loader/process_facts.hpp"
#include "tenure/provider_abi.h"

namespace {

using namespace tenure;
using namespace tenure_test;

bool is_loaded(const std::filesystem::path& path) {
  void* const handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_NOLOAD);
  if (handle != nullptr) ::dlclose(handle);
  return handle != nullptr;
}

}  // namespace

TEST_CASE("inspect_file: a well-made provider has all its facts and no warning, and is not mapped") {
  const FileReport report = inspect(fixture("clean"));

  // A sanitizer adds an initialiser, which is worth a note.
  CHECK(std::ranges::none_of(report.problems, [](const Problem& p) { return p.severity != Severity::note; }));
  CHECK(report.first_error() == nullptr);
  CHECK(report.path_real == std::filesystem::canonical(fixture("clean")).string());
  CHECK(report.file_bytes == std::filesystem::file_size(fixture("clean")));
  REQUIRE(report.card);
  CHECK(report.card->id == "org.tenure.fixture.clean");
  REQUIRE(report.elf);
  CHECK(report.elf->type == "shared object");
  CHECK(report.elf->exports == std::vector<std::string>{"tenure_provider_entry_v1_draft"});
  CHECK(report.elf->relro);
  CHECK(report.elf->bind_now);
  CHECK(report.exports_entry);
  REQUIRE_FALSE(report.needed.empty());
  const auto libc = std::ranges::find(report.needed, "libc.so.6", &NeededLibrary::name);
  REQUIRE(libc != report.needed.end());
  CHECK(libc->already_loaded);
  CHECK_FALSE(libc->path.empty());
  CHECK_FALSE(libc->versions.empty());
  CHECK(report.host_abi_major == TENURE_ABI_MAJOR);
  CHECK(report.steps.size() > 5);
  CHECK_FALSE(is_loaded(fixture("clean")));
}

TEST_CASE("inspect_file: undefined symbols are listed with the version that is asked for") {
  const FileReport report = inspect(fixture("good"));
  REQUIRE(report.elf);
  CHECK(std::ranges::any_of(report.elf->undefined,
                            [](const std::string& name) { return name.starts_with("aligned_alloc"); }));
  REQUIRE(find(report, "file.exports-one") != nullptr);
  CHECK(find(report, "file.exports-one")->severity == Severity::note);
  CHECK(contains(find(report, "file.exports-one")->message, "fixture_counts_of_this_file"));
}

TEST_CASE("inspect_file: damaged providers are reports, whatever the damage") {
  std::mt19937_64 random(99);
  const TemporaryFolder folder;
  const ProviderBytes original(fixture("good"));
  for (int round = 0; round < 60; ++round) {
    ProviderBytes bytes = original;
    for (int change = 0; change < 3; ++change) bytes.bytes()[random() % 5000] = static_cast<char>(random());
    const FileReport report = inspect(bytes.write(folder / "damaged.so"));
    CHECK_FALSE(report.steps.empty());
  }
}

TEST_CASE("inspect_file: a sparse file that claims more than memory can hold is a finding about the file") {
  const TemporaryFolder folder;
  ProviderBytes bytes(fixture("good"));
  Elf64_Phdr& last = bytes.last_segment(PT_LOAD);
  last.p_filesz = last.p_memsz = std::uint64_t{1} << 39;
  bytes.dynamic_entry(DT_STRTAB) = last.p_vaddr;
  bytes.dynamic_entry(DT_STRSZ) = std::uint64_t{1} << 38;
  const auto path = bytes.write(folder / "sparse.so");
  std::filesystem::resize_file(path, std::uint64_t{1} << 40);
  const Problem problem = error_of(path);
  CHECK(problem.id == "file.elf");
  CHECK(contains(problem.message, "dynamic string table of 274877906944 bytes"));
}

TEST_CASE("inspect_file: a file that takes more memory to read than the process can have is a finding, too") {
  if (host_facts().sanitizers != 0) return;  // they end a process that is short of memory
  const TemporaryFolder folder;
  ProviderBytes bytes(fixture("good"));
  constexpr std::uint64_t table_bytes = std::uint64_t{200} << 20;
  Elf64_Phdr& last = bytes.last_segment(PT_LOAD);
  last.p_filesz = last.p_memsz = 2 * table_bytes;
  bytes.dynamic_entry(DT_STRTAB) = last.p_vaddr;
  bytes.dynamic_entry(DT_STRSZ) = table_bytes;
  const auto path = bytes.write(folder / "large.so");
  std::filesystem::resize_file(path, 4 * table_bytes);

  const pid_t child = ::fork();
  if (child == 0) {
    std::uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const rlim_t limit = pages * static_cast<std::uint64_t>(::getpagesize()) + table_bytes / 2;
    const rlimit address_space{limit, limit};
    if (::setrlimit(RLIMIT_AS, &address_space) != 0) ::_exit(2);
    const FileReport report = inspect(path);
    const Problem* error = report.first_error();
    ::_exit(error != nullptr && error->code == TENURE_RESOURCE_EXHAUSTED ? 0 : 1);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}
