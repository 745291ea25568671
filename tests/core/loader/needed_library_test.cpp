// SPDX-License-Identifier: Apache-2.0
// inspect_file, as far as the libraries and symbols that a file needs are concerned.
#include <doctest/doctest.h>
#include <elf.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "file_reports.hpp"
#include "loader/process_facts.hpp"
#include "tenure/provider_abi.h"

using namespace tenure;
using namespace tenure_test;

TEST_CASE("inspect_file: a missing library is named with who needs it and where it was looked for") {
  const Problem direct = error_of(fixture("needs_gone"));
  CHECK(direct.id == "file.deps-resolved");
  CHECK(direct.code == TENURE_NOT_FOUND);
  CHECK(direct.culprit == "libfixture_gone.so");
  const std::string folder = std::filesystem::canonical(LOADER_FIXTURES).string();
  CHECK(contains(direct.message, "libfixture_gone.so, needed by " + folder +
                                     "/libfixture_needs_gone.so, was not "
                                     "found. Searched: "));
  CHECK(contains(direct.message, "RUNPATH " + folder + " (written $ORIGIN)"));
  CHECK(contains(direct.message, "ld.so.cache"));
  CHECK(std::ranges::find(direct.searched, "/usr/lib") != direct.searched.end());

  const Problem transitive = error_of(fixture("needs_middle"));
  CHECK(transitive.culprit == "libfixture_gone.so");
  CHECK(contains(transitive.message, "needed by " + folder + "/libfixture_middle.so"));
}

TEST_CASE(
    "inspect_file: files like the missing library are shown, and one for another machine is passed over") {
  const TemporaryFolder folder;
  const auto provider = folder.copy(fixture("needs_gone"), "provider.so");
  folder.copy(fixture("plain"), "libfixture_gone.so.1");
  CHECK(contains(error_of(provider).message, "Similar: " + (folder / "libfixture_gone.so.1").string()));

  ProviderBytes other(fixture("plain"));
  other.header().e_machine = EM_AARCH64;
  other.write(folder / "libfixture_gone.so");
  CHECK(contains(error_of(provider).message, (folder / "libfixture_gone.so").string() + " (for aarch64)"));
}

TEST_CASE("inspect_file: LD_LIBRARY_PATH is followed, and an empty part of it is the current folder") {
  const std::string gone = std::string(LOADER_FIXTURES) + "/gone";
  REQUIRE(::setenv("LD_LIBRARY_PATH", ("/nowhere::" + gone).c_str(), 1) == 0);
  const FileReport report = inspect(fixture("needs_gone"));
  REQUIRE(::unsetenv("LD_LIBRARY_PATH") == 0);
  CHECK(report.first_error() == nullptr);
  const auto at = std::ranges::find(report.needed, "libfixture_gone.so", &NeededLibrary::name);
  REQUIRE(at != report.needed.end());
  CHECK(at->path == gone + "/libfixture_gone.so");
  CHECK_FALSE(at->already_loaded);
}

TEST_CASE("inspect_file: the folder for the processor's level comes before the folder itself") {
  if (host_facts().isa_level < 2) return;
  const TemporaryFolder folder;
  const auto provider = folder.copy(fixture("needs_gone"), "provider.so");
  std::filesystem::create_directories(folder / "glibc-hwcaps/x86-64-v2");
  const auto better = folder.copy(fixture("plain"), "glibc-hwcaps/x86-64-v2/libfixture_gone.so");
  folder.copy(fixture("plain"), "libfixture_gone.so");
  const FileReport report = inspect(provider);
  const auto at = std::ranges::find(report.needed, "libfixture_gone.so", &NeededLibrary::name);
  REQUIRE(at != report.needed.end());
  CHECK(at->path == better.string());
}

TEST_CASE("inspect_file: a file in the library's place that is none is shown with what is wrong") {
  const TemporaryFolder folder;
  const auto provider = folder.copy(fixture("needs_gone"), "provider.so");
  std::ofstream(folder / "libfixture_gone.so") << "INPUT(libsomething.so)\n";
  CHECK(contains(error_of(provider).message,
                 (folder / "libfixture_gone.so").string() + " (the file is not an ELF file"));
}

TEST_CASE("inspect_file: a library that asks for memory at program start is pointed out with its path") {
  const FileReport report = inspect(fixture("needs_tls"));
  CHECK(report.first_error() == nullptr);
  REQUIRE(find(report, "file.static-tls") != nullptr);
  CHECK(contains(find(report, "file.static-tls")->culprit, "libfixture_tls_library.so"));
}

TEST_CASE("inspect_file: a missing symbol is named as the linker and as the programmer know it") {
  const Problem problem = error_of(fixture("missing_symbol"));
  CHECK(problem.id == "file.symbols-resolved");
  CHECK(problem.culprit == "_ZN7fixture7missingEi");
  CHECK(contains(problem.message,
                 "needs the symbol _ZN7fixture7missingEi, which no loaded library defines "
                 "(demangled: fixture::missing(int))"));
}

TEST_CASE("inspect_file: a symbol version that the library lacks is named with its newest") {
  const Problem problem = error_of(fixture("needs_version"));
  CHECK(problem.id == "file.symbols-resolved");
  CHECK(problem.wanted == "PLAIN_2 of libfixture_versioned.so");
  CHECK(problem.found == "PLAIN_1");
  CHECK(contains(problem.message, "does not have; its newest is PLAIN_1"));
}
