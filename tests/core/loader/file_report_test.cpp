// SPDX-License-Identifier: Apache-2.0
#include "tenure/loader/file_report.hpp"

#include <dlfcn.h>
#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <random>
#include <string>

#include "fixtures.hpp"
#include "loader/process_facts.hpp"
#include "provider_bytes.hpp"
#include "temporary_folder.hpp"
#include "tenure/provider_abi.h"
#include "tenure/provider_note.h"

namespace {

using namespace tenure;
using namespace tenure_test;

const LoadOptions without_policy{.policy = PathPolicy::off, .alias = {}};

FileReport inspect(const std::filesystem::path& path) { return inspect_file(path, without_policy); }

// The error that keeps this file from being loaded.
Problem error_of(const std::filesystem::path& path) {
  const FileReport report = inspect(path);
  REQUIRE(report.first_error() != nullptr);
  CHECK_FALSE(report.first_error()->hint.empty());
  return *report.first_error();
}

// The same for a good provider whose bytes were changed.
Problem error_after(auto change) {
  const TemporaryFolder folder;
  ProviderBytes bytes(fixture("good"));
  change(bytes);
  return error_of(bytes.write(folder / "bent.so"));
}

const Problem* find(const FileReport& report, std::string_view id) {
  const auto at = std::ranges::find(report.problems, id, &Problem::id);
  return at == report.problems.end() ? nullptr : &*at;
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

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
