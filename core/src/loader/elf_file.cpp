// SPDX-License-Identifier: Apache-2.0
#include "loader/elf_file.hpp"

#include <elf.h>

#include <algorithm>

namespace tenure::inline TENURE_BUILD {

const ElfSegment* ElfFile::find_segment(std::uint32_t segment_type) const noexcept {
  const auto at = std::ranges::find(segments, segment_type, &ElfSegment::type);
  return at == segments.end() ? nullptr : &*at;
}

bool ElfFile::is_executable() const noexcept {
  return type == ET_EXEC || (type == ET_DYN && (flags_1 & DF_1_PIE) != 0);
}

bool ElfFile::wants_executable_stack() const noexcept {
  const ElfSegment* stack = find_segment(PT_GNU_STACK);
  return stack == nullptr || (stack->flags & PF_X) != 0;
}

bool ElfFile::wants_static_tls() const noexcept { return (flags & DF_STATIC_TLS) != 0; }

std::uint64_t ElfFile::tls_bytes() const noexcept {
  const ElfSegment* tls = find_segment(PT_TLS);
  return tls == nullptr ? 0 : tls->memory_bytes;
}

std::string ElfFile::build_id() const {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  const auto at = std::ranges::find_if(
      notes, [](const ElfNote& note) { return note.owner == "GNU" && note.type == NT_GNU_BUILD_ID; });
  if (at == notes.end()) return text;
  for (const std::byte byte : at->description) {
    text.push_back(digits[std::to_integer<std::size_t>(byte >> 4)]);
    text.push_back(digits[std::to_integer<std::size_t>(byte & std::byte{15})]);
  }
  return text;
}

bool ElfFile::defines(std::string_view symbol) const noexcept {
  return std::ranges::any_of(symbols,
                             [&](const ElfSymbol& each) { return each.defined && each.name == symbol; });
}

std::string elf_machine_name(std::uint16_t machine) {
  switch (machine) {
    case EM_X86_64:
      return "x86-64";
    case EM_386:
      return "i386";
    case EM_AARCH64:
      return "aarch64";
    case EM_ARM:
      return "arm";
    case EM_RISCV:
      return "riscv";
    case EM_PPC64:
      return "ppc64";
    case EM_S390:
      return "s390";
    default:
      return "machine " + std::to_string(machine);
  }
}

std::string elf_type_name(const ElfFile& file) {
  switch (file.type) {
    case ET_DYN:
      return file.is_executable() ? "position-independent executable" : "shared object";
    case ET_EXEC:
      return "fixed-address executable";
    case ET_REL:
      return "object file";
    case ET_CORE:
      return "core dump";
    default:
      return "file of type " + std::to_string(file.type);
  }
}

std::uint16_t elf_machine_here() noexcept {
#if defined(__x86_64__)
  return EM_X86_64;
#elif defined(__aarch64__)
  return EM_AARCH64;
#else
#error "name this machine's EM_ number here"
#endif
}

}  // namespace tenure::inline TENURE_BUILD
