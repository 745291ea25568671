// SPDX-License-Identifier: Apache-2.0
#include "loader/elf_file.hpp"

#include <doctest/doctest.h>
#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <random>
#include <set>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "fixtures.hpp"
#include "loader/elf_rules.hpp"
#include "loader/provider_note.hpp"
#include "provider_bytes.hpp"

namespace {

using namespace tenure;
using namespace tenure_test;

OpenedFile in_memory(std::span<const char> bytes) {
  const int descriptor = ::memfd_create("elf", MFD_CLOEXEC);
  REQUIRE(descriptor >= 0);
  REQUIRE(::write(descriptor, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  return std::move(*OpenedFile::adopt(descriptor));
}

// What a load would make of the bytes: the id of the first thing that is wrong, or nothing.
std::string verdict(std::span<const char> bytes) {
  const auto read = read_elf(in_memory(bytes));
  if (const Problem* problem = std::get_if<Problem>(&read)) {
    CHECK_FALSE(problem->message.empty());
    CHECK_FALSE(problem->hint.empty());
    return problem->id;
  }
  const ElfFile& file = std::get<ElfFile>(read);
  const auto kind = check_elf_kind(file, false);
  if (!kind.empty()) return kind.front().id;
  for (const Problem& problem : check_elf_linking(file)) CHECK_FALSE(problem.message.empty());
  const auto card = read_identity_card(file);
  if (const Problem* problem = std::get_if<Problem>(&card)) return problem->id;
  const ElfSummary summary = summarise(file);
  CHECK_FALSE(summary.machine.empty());
  return {};
}

Problem problem_of(std::span<const char> bytes) {
  auto read = read_elf(in_memory(bytes));
  REQUIRE(std::holds_alternative<Problem>(read));
  return std::get<Problem>(read);
}

std::uint64_t end_of_loaded_segments(ProviderBytes& file) {
  std::uint64_t end = 0;
  const auto* segments = reinterpret_cast<const Elf64_Phdr*>(file.bytes().data() + file.header().e_phoff);
  for (std::uint16_t i = 0; i < file.header().e_phnum; ++i) {
    if (segments[i].p_type == PT_LOAD) end = std::max(end, segments[i].p_offset + segments[i].p_filesz);
  }
  return end;
}

}  // namespace

TEST_CASE("read_elf: a provider's facts are read through its program headers") {
  ProviderBytes bytes(fixture("good"));
  const auto read = read_elf(in_memory(bytes.bytes()));
  REQUIRE(std::holds_alternative<ElfFile>(read));
  const ElfFile& file = std::get<ElfFile>(read);

  CHECK(file.machine == elf_machine_here());
  CHECK(file.type == ET_DYN);
  CHECK_FALSE(file.is_executable());
  CHECK(file.has_dynamic);
  CHECK(file.soname == "libfixture_good.so");
  CHECK(file.run_path == "$ORIGIN");
  CHECK(std::ranges::find(file.needed, "libc.so.6") != file.needed.end());
  CHECK(file.build_id().size() >= 16);
  CHECK_FALSE(file.wants_executable_stack());
  CHECK_FALSE(file.wants_static_tls());
  CHECK(file.defines("tenure_provider_entry_v1_draft"));
  CHECK(file.defines("fixture_counts_of_this_file"));
  CHECK_FALSE(file.defines("strcpy"));
  const auto asked = std::ranges::find(file.symbols, "aligned_alloc", &ElfSymbol::name);
  REQUIRE(asked != file.symbols.end());
  CHECK_FALSE(asked->defined);
  CHECK(file.initialisers >= 1);
}

TEST_CASE("read_elf: without section headers nothing is missing") {
  ProviderBytes bytes(fixture("good"));
  const auto whole = read_elf(in_memory(bytes.bytes()));
  bytes.header().e_shoff = 0xffffffffffff;
  bytes.header().e_shnum = 0xffff;
  bytes.header().e_shstrndx = 0xffff;
  bytes.bytes().resize(end_of_loaded_segments(bytes));
  const auto cut = read_elf(in_memory(bytes.bytes()));

  REQUIRE(std::holds_alternative<ElfFile>(cut));
  CHECK(std::get<ElfFile>(cut).symbols.size() == std::get<ElfFile>(whole).symbols.size());
  CHECK(std::get<ElfFile>(cut).build_id() == std::get<ElfFile>(whole).build_id());
}

TEST_CASE("read_elf: both kinds of symbol hash table give the symbols") {
  const auto file = OpenedFile::open(fixture("odd").string());
  REQUIRE(file);
  const auto read = read_elf(*file);
  REQUIRE(std::holds_alternative<ElfFile>(read));
  const ElfFile& odd = std::get<ElfFile>(read);

  CHECK(odd.defines("odd_unique_symbol"));
  CHECK(odd.defines("tenure_provider_entry_v1_draft"));
  CHECK(std::ranges::any_of(odd.symbols, [](const ElfSymbol& s) { return s.unique; }));
  CHECK(odd.wants_static_tls());
  CHECK(odd.tls_bytes() == 4);
  CHECK_FALSE(odd.bind_now);
}

TEST_CASE("read_elf: the C library has versions, and the compiler's library reads, too") {
  for (const char* path : {"/lib/x86_64-linux-gnu/libc.so.6", "/usr/lib/x86_64-linux-gnu/libstdc++.so.6"}) {
    const auto file = OpenedFile::open(path);
    if (!file) continue;  // another distribution keeps it elsewhere
    const auto read = read_elf(*file);
    REQUIRE(std::holds_alternative<ElfFile>(read));
    CHECK(std::get<ElfFile>(read).version_definitions.size() > 10);
    CHECK(std::get<ElfFile>(read).symbols.size() > 2000);
  }
}

TEST_CASE("read_elf: what is no ELF file is told apart from what is half of one") {
  CHECK(problem_of({}).message == "the file is empty");
  const std::string text = "#!/bin/sh\necho this is a script\n";
  CHECK(problem_of(text).id == "file.elf");
  CHECK(problem_of(text).message.find("is not an ELF file") != std::string::npos);
  CHECK(problem_of(std::string("\x7f") + "EL").id == "file.complete");
  CHECK(problem_of(std::string("\x7f") + "ELF").id == "file.complete");
}

TEST_CASE("read_elf: another class, byte order or machine is named") {
  ProviderBytes bytes(fixture("good"));
  bytes.bytes()[EI_CLASS] = ELFCLASS32;
  Problem problem = problem_of(bytes.bytes());
  CHECK(problem.id == "file.elf-machine");
  CHECK(problem.message.find("is a 32-bit ELF file; this process needs a 64-bit") != std::string::npos);

  bytes.bytes()[EI_CLASS] = ELFCLASS64;
  bytes.bytes()[EI_DATA] = ELFDATA2MSB;
  CHECK(problem_of(bytes.bytes()).message.find("big-endian") != std::string::npos);

  bytes.bytes()[EI_DATA] = ELFDATA2LSB;
  bytes.header().e_machine = EM_AARCH64;
  CHECK(verdict(bytes.bytes()) == "file.elf-machine");
}

TEST_CASE("read_elf: contradictions that would mislead the dynamic linker are refused") {
  const ProviderBytes original(fixture("good"));
  const auto refused = [&](auto change) {
    ProviderBytes bytes = original;
    change(bytes);
    const Problem problem = problem_of(bytes.bytes());
    CHECK((problem.id == "file.elf" || problem.id == "file.complete"));
    return problem.message;
  };
  CHECK(refused([](ProviderBytes& b) { b.header().e_phnum = 0; }).find("program headers") !=
        std::string::npos);
  CHECK(refused([](ProviderBytes& b) { b.header().e_phentsize = 32; }).find("32 bytes") != std::string::npos);
  CHECK(refused([](ProviderBytes& b) { b.header().e_phoff = UINT64_MAX - 8; }).find("impossible size") !=
        std::string::npos);
  CHECK(refused([](ProviderBytes& b) { b.segment(PT_LOAD).p_filesz = UINT64_MAX; }).find("cut off") !=
        std::string::npos);
  CHECK(refused([](ProviderBytes& b) { b.segment(PT_LOAD).p_memsz = 1; }).find("impossible size") !=
        std::string::npos);
  CHECK(refused([](ProviderBytes& b) { b.segment(PT_LOAD).p_vaddr = 0x100000000; }).find("out of order") !=
        std::string::npos);
  CHECK(refused([](ProviderBytes& b) { b.segment(PT_LOAD).p_vaddr += 8; }).find("do not agree") !=
        std::string::npos);
  CHECK(refused([](ProviderBytes& b) {
          b.segment(PT_DYNAMIC).p_vaddr = 0x7000000;
        }).find("dynamic section") != std::string::npos);
}

TEST_CASE("read_elf: a file that is cut off anywhere before its last segment ends is refused in words") {
  ProviderBytes bytes(fixture("good"));
  const std::uint64_t end = end_of_loaded_segments(bytes);
  std::set<std::string> verdicts;
  for (std::uint64_t size = 0; size < end; size += size < 4096 ? 1 : 61) {
    const std::string id = verdict(std::span(bytes.bytes()).first(size));
    verdicts.insert(id);
    CHECK_FALSE(id.empty());
  }
  CHECK(verdicts == std::set<std::string>{"file.complete", "file.elf"});
  const Problem half = problem_of(std::span(bytes.bytes()).first(end / 2));
  CHECK(half.message.find("is cut off: it has " + std::to_string(end / 2) + " bytes") != std::string::npos);
}

TEST_CASE("read_elf: bytes changed at random never do more than make the file wrong") {
  std::mt19937_64 random(20240917);
  for (const char* name : {"good", "odd", "versioned"}) {
    const ProviderBytes original(fixture(name));
    // Most of what is interpreted is at the beginning.
    const auto size = static_cast<std::uint64_t>(ProviderBytes(original).bytes().size());
    for (int round = 0; round < 1500; ++round) {
      ProviderBytes bytes = original;
      const std::uint64_t range = round % 3 == 0 ? size : std::min<std::uint64_t>(size, 6000);
      const std::uint64_t changes = 1 + random() % 6;
      for (std::uint64_t change = 0; change < changes; ++change) {
        bytes.bytes()[random() % range] = static_cast<char>(random() % 4 == 0 ? 0xff : random());
      }
      verdict(bytes.bytes());
    }
  }
}

TEST_CASE("read_elf: every header field set to extremes never does more than make the file wrong") {
  const ProviderBytes original(fixture("good"));
  ProviderBytes probe = original;
  const std::size_t headers = probe.header().e_phoff + probe.header().e_phnum * sizeof(Elf64_Phdr);
  const Elf64_Phdr dynamic = probe.segment(PT_DYNAMIC);
  const auto spoil = [&](std::size_t at, int value) {
    ProviderBytes bytes = original;
    for (std::size_t i = at; i < at + 8; ++i) bytes.bytes()[i] = static_cast<char>(value);
    verdict(bytes.bytes());
    bytes = original;
    bytes.bytes()[at] = static_cast<char>(value);
    verdict(bytes.bytes());
  };
  for (const int value : {0x00, 0x01, 0x7f, 0x80, 0xff}) {
    for (std::size_t at = 0; at + 8 <= headers; at += 4) spoil(at, value);
    for (std::size_t at = dynamic.p_offset; at < dynamic.p_offset + dynamic.p_filesz; at += 8)
      spoil(at, value);
  }
}

TEST_CASE("read_elf: tables that only a sparse file can hold are refused before they are read") {
  constexpr std::uint64_t huge_bytes = std::uint64_t{1} << 39;
  // The last loaded segment reaches that far, all of it a hole behind the file's own bytes.
  const auto refused = [&](auto change) {
    ProviderBytes bytes(fixture("good"));
    const std::uint64_t hole_at = bytes.bytes().size();
    Elf64_Phdr& last = bytes.last_segment(PT_LOAD);
    last.p_filesz = last.p_memsz = 2 * huge_bytes;
    change(bytes, hole_at - last.p_offset + last.p_vaddr);
    const OpenedFile file = in_memory(bytes.bytes());
    REQUIRE(::ftruncate(file.descriptor(), static_cast<off_t>(4 * huge_bytes)) == 0);
    const auto read = read_elf(std::move(*OpenedFile::adopt(::dup(file.descriptor()))));
    REQUIRE(std::holds_alternative<Problem>(read));
    CHECK(std::get<Problem>(read).id == "file.elf");
    CHECK(std::get<Problem>(read).message.find("believable") != std::string::npos);
    return std::get<Problem>(read).message;
  };
  const auto says = [](const std::string& message, std::string_view what) {
    CAPTURE(message);
    CHECK(message.starts_with("the file has a " + std::string(what)));
  };
  says(refused([&](ProviderBytes& b, std::uint64_t hole) {
         b.dynamic_entry(DT_STRTAB) = hole;
         b.dynamic_entry(DT_STRSZ) = huge_bytes;
       }),
       "dynamic string table of 549755813888 bytes, more than the 268435456");
  says(refused([&](ProviderBytes& b, std::uint64_t hole) {
         b.segment(PT_DYNAMIC).p_vaddr = hole;
         b.segment(PT_DYNAMIC).p_filesz = huge_bytes;
       }),
       "dynamic section");
  says(refused([&](ProviderBytes& b, std::uint64_t) { b.segment(PT_NOTE).p_filesz = huge_bytes; }),
       "set of notes");
  says(refused([&](ProviderBytes& b, std::uint64_t hole) {
         b.dynamic_entry(DT_RELA) = hole;
         b.dynamic_entry(DT_RELASZ) = huge_bytes;
       }),
       "relocation table");
  // A chain of zeros never ends.
  says(refused([&](ProviderBytes& b, std::uint64_t hole) { b.dynamic_entry(DT_GNU_HASH) = hole; }),
       "symbol hash table");
}
