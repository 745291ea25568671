// SPDX-License-Identifier: Apache-2.0
// inspect_file, as far as the file itself is concerned: its kind, how it was linked, its identity card.
#include <doctest/doctest.h>
#include <elf.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "file_reports.hpp"
#include "loader/process_facts.hpp"
#include "tenure/provider_abi.h"
#include "tenure/provider_note.h"

using namespace tenure;
using namespace tenure_test;

TEST_CASE("inspect_file: an empty file, a script and a truncated provider") {
  const TemporaryFolder folder;
  std::ofstream(folder / "empty.so").close();
  CHECK(error_of(folder / "empty.so").message == "the file is empty");
  std::ofstream(folder / "script.so") << "INPUT(libfoo.so.1)\n";
  CHECK(contains(error_of(folder / "script.so").message, "is not an ELF file"));
  const Problem cut = error_after([](ProviderBytes& b) { b.bytes().resize(b.bytes().size() / 3); });
  CHECK(cut.id == "file.complete");
  CHECK(cut.code == TENURE_DATA_LOSS);
  CHECK(contains(cut.message, "is cut off"));
}

TEST_CASE("inspect_file: files for other machines and of other kinds") {
  const Problem machine = error_after([](ProviderBytes& b) { b.header().e_machine = EM_RISCV; });
  CHECK(machine.id == "file.elf-machine");
  CHECK(contains(machine.message, "the file is for riscv; this process runs on"));
  CHECK(contains(error_after([](ProviderBytes& b) { b.header().e_machine = 4711; }).message,
                 "for machine 4711"));
  CHECK(contains(error_after([](ProviderBytes& b) { b.bytes()[EI_CLASS] = ELFCLASS32; }).message, "32-bit"));
  CHECK(contains(error_after([](ProviderBytes& b) { b.header().e_type = ET_EXEC; }).message,
                 "is a fixed-address executable, which cannot be loaded"));
  CHECK(contains(error_after([](ProviderBytes& b) { b.header().e_type = ET_CORE; }).message, "core dump"));
}

TEST_CASE("inspect_file: an object file, an executable and the running program") {
  CHECK(contains(error_of(LOADER_OBJECT_FILE).message, "is an object file, which is not linked yet"));
  const auto self = std::filesystem::canonical("/proc/self/exe");
  CHECK(error_of(self).message == "the file is the program that is running, not a provider");
  const TemporaryFolder folder;
  CHECK(contains(error_of(folder.copy(self, "copy")).message, "executable, which cannot be loaded"));
}

TEST_CASE("inspect_file: an executable stack is refused") {
  const Problem problem = error_after([](ProviderBytes& b) { b.segment(PT_GNU_STACK).p_flags |= PF_X; });
  CHECK(problem.id == "file.execstack");
  CHECK(contains(problem.hint, "-z noexecstack"));
  CHECK(error_after([](ProviderBytes& b) { b.segment(PT_GNU_STACK).p_type = PT_NULL; }).id ==
        "file.execstack");
}

TEST_CASE("inspect_file: a plain library, a card without an entry, an entry without a card") {
  CHECK(contains(error_of(fixture("plain")).message, "this is a plain library, not a provider"));
  const Problem no_entry = error_of(fixture("no_entry"));
  CHECK(no_entry.id == "file.exports-one");
  CHECK(no_entry.message ==
        "the file has an identity card but does not export tenure_provider_entry_v1_draft");
  CHECK(error_of(fixture("no_note")).id == "file.note.present");
}

TEST_CASE("inspect_file: a provider of another ABI, processor or sanitizer") {
  const Problem too_new = error_after([](ProviderBytes& b) { b.note().abi_major = 9; });
  CHECK(too_new.id == "file.abi-version");
  CHECK(contains(too_new.message, "org.tenure.fixture 1.0.0 was built for provider ABI 9.0; this host"));
  CHECK(contains(error_after([](ProviderBytes& b) { b.note().host_minor_min = 7; }).message,
                 "needs provider ABI 1.7 or newer from the host"));
  CHECK(error_after([](ProviderBytes& b) { b.note().isa_level = 9; }).id == "file.isa-level");
  const std::uint32_t other =
      host_facts().sanitizers == TENURE_SANITIZER_THREAD ? TENURE_SANITIZER_ADDRESS : TENURE_SANITIZER_THREAD;
  const Problem sanitizer = error_after([&](ProviderBytes& b) { b.note().sanitizers |= other; });
  CHECK(sanitizer.id == "file.sanitizer");
}

TEST_CASE("inspect_file: a sanitizer is known by what the file calls, whatever its identity card says") {
  for (const char* name : {"calls_sanitizer", "calls_sanitizer_uncarded"}) {
    const FileReport report = inspect(fixture(name));
    REQUIRE(report.elf);
    CHECK((report.elf->sanitizers & TENURE_SANITIZER_ADDRESS) != 0);
  }
  if ((host_facts().sanitizers & TENURE_SANITIZER_ADDRESS) != 0) return;  // then it fits
  const Problem problem = error_of(fixture("calls_sanitizer"));
  CHECK(problem.id == "file.sanitizer");
  CHECK(contains(problem.message, "was built with AddressSanitizer"));
  CHECK(inspect(fixture("good")).elf->sanitizers == host_facts().sanitizers);
}

TEST_CASE(
    "inspect_file: thread-local memory, shared symbols, initialisers and soft linking are pointed out") {
  const FileReport report = inspect(fixture("odd"));
  CHECK(report.first_error() == nullptr);
  REQUIRE(find(report, "file.static-tls") != nullptr);
  CHECK(contains(find(report, "file.static-tls")->message, "4 bytes"));
  REQUIRE(find(report, "file.no-gnu-unique") != nullptr);
  CHECK(contains(find(report, "file.no-gnu-unique")->message, "odd_unique_symbol"));
  REQUIRE(find(report, "file.initialisers") != nullptr);
  CHECK(find(report, "file.initialisers")->severity == Severity::note);
  CHECK(find(report, "file.relro-now") != nullptr);
  REQUIRE(report.elf);
  CHECK(report.elf->unique_symbols == std::vector<std::string>{"odd_unique_symbol"});
}
