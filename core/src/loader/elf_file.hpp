// SPDX-License-Identifier: Apache-2.0
// elf_file: what the program headers of an ELF file say; section headers are never looked at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "loader/opened_file.hpp"
#include "tenure/config.h"
#include "tenure/loader/problem.hpp"

namespace tenure::inline TENURE_BUILD {

struct ElfSegment {
  std::uint32_t type = 0;   // PT_*
  std::uint32_t flags = 0;  // PF_*
  std::uint64_t offset_bytes = 0;
  std::uint64_t address = 0;
  std::uint64_t file_bytes = 0;
  std::uint64_t memory_bytes = 0;
  std::uint64_t alignment_bytes = 0;
};

struct ElfNote {
  std::string owner;
  std::uint32_t type = 0;
  std::vector<std::byte> description;
  std::uint64_t segment_alignment_bytes = 0;
};

// The views point into ElfFile::strings.
struct ElfSymbol {
  std::string_view name;
  std::string_view version;  // empty: none
  bool defined = false;
  bool weak = false;
  bool unique = false;  // one for the whole process (STB_GNU_UNIQUE)
};

struct ElfVersionNeed {
  std::string_view library;
  std::string_view version;
  bool weak = false;
};

// Moving keeps the views valid, copying would not.
struct ElfFile {
  ElfFile() = default;
  ElfFile(ElfFile&&) = default;
  ElfFile& operator=(ElfFile&&) = default;

  std::uint16_t machine = 0;  // EM_*
  std::uint16_t type = 0;     // ET_*
  bool has_interpreter = false;
  std::vector<ElfSegment> segments;
  std::vector<ElfNote> notes;

  // From the dynamic section.
  bool has_dynamic = false;
  std::vector<char> strings;
  std::vector<std::string_view> needed;
  std::string_view soname;
  std::string_view run_path;  // RUNPATH
  std::string_view rpath;     // RPATH, which loaders ignore when there is a RUNPATH
  std::uint64_t flags = 0;    // DF_*
  std::uint64_t flags_1 = 0;  // DF_1_*
  bool text_relocations = false;
  bool bind_now = false;
  std::uint64_t initialisers = 0;
  std::vector<ElfVersionNeed> version_needs;
  std::vector<std::string_view> version_definitions;
  std::vector<ElfSymbol> symbols;  // those with a name that other files can see

  const ElfSegment* find_segment(std::uint32_t segment_type) const noexcept;
  bool is_executable() const noexcept;  // of fixed address, or position independent
  // A file without the stack segment asks for an executable stack, as compilers of old did.
  bool wants_executable_stack() const noexcept;
  bool wants_static_tls() const noexcept;
  std::uint64_t tls_bytes() const noexcept;
  std::string build_id() const;  // hexadecimal, empty when there is none
  bool defines(std::string_view symbol) const noexcept;
};

std::string elf_machine_name(std::uint16_t machine);
std::string elf_type_name(const ElfFile& file);

// The machine that this library was compiled for.
std::uint16_t elf_machine_here() noexcept;

// Reads a 64-bit little-endian file; object files and core dumps only as far as their header. Any bytes
// are fine: what is not there or contradicts itself is a Problem, never a crash.
std::variant<ElfFile, Problem> read_elf(const OpenedFile& file);

}  // namespace tenure::inline TENURE_BUILD
