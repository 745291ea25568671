// SPDX-License-Identifier: Apache-2.0
#include "loader/elf_reader.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <utility>

#include "tenure/provider_abi.h"

namespace tenure::inline TENURE_BUILD {

namespace {

Problem defect(std::string_view rule, std::string message, std::string hint) {
  return {.id = std::string(rule),
          .stage = LoadStage::file,
          .code = TENURE_DATA_LOSS,
          .culprit = {},
          .wanted = "a complete ELF file",
          .found = message,
          .searched = {},
          .message = "the file " + message,
          .hint = std::move(hint)};
}

constexpr std::string_view rebuild = "Build or copy the provider again.";

}  // namespace

void ElfReader::malformed(std::string message) {
  throw ElfDefect(defect("file.elf", std::move(message), std::string(rebuild)));
}

void ElfReader::throw_too_large(std::uint64_t bytes, std::string_view what) {
  Problem problem = defect("file.elf",
                           "has a " + std::string(what) + " of " + std::to_string(bytes) +
                               " bytes, more than this process can have",
                           "Build or copy the provider again, or give the process more memory.");
  problem.code = TENURE_RESOURCE_EXHAUSTED;
  throw ElfDefect(std::move(problem));
}

void ElfReader::cut_off(std::string_view what, std::uint64_t end_bytes) const {
  throw ElfDefect(defect("file.complete",
                         "is cut off: it has " + std::to_string(file_.size_bytes()) + " bytes, and its " +
                             std::string(what) + " ends at byte " + std::to_string(end_bytes),
                         std::string(rebuild)));
}

void ElfReader::require_inside(std::uint64_t offset_bytes, std::uint64_t count, std::uint64_t element_bytes,
                               std::string_view what) const {
  std::uint64_t bytes = 0;
  std::uint64_t end = 0;
  if (__builtin_mul_overflow(count, element_bytes, &bytes) ||
      __builtin_add_overflow(offset_bytes, bytes, &end)) {
    malformed("has a " + std::string(what) + " of impossible size");
  }
  if (end > file_.size_bytes()) cut_off(what, end);
}

void ElfReader::require_believable(std::uint64_t bytes, std::uint64_t bytes_max, std::string_view what) {
  if (bytes <= bytes_max) return;
  malformed("has a " + std::string(what) + " of " + std::to_string(bytes) + " bytes, more than the " +
            std::to_string(bytes_max) + " that are believable");
}

void ElfReader::read_bytes(std::uint64_t offset_bytes, std::span<std::byte> out,
                           std::string_view what) const {
  require_inside(offset_bytes, out.size(), 1, what);
  if (!file_.read(offset_bytes, out)) malformed("changed, or could not be read, at its " + std::string(what));
}

ElfReader::Place ElfReader::place_of(std::uint64_t address, std::string_view what) const {
  for (const ElfSegment& segment : elf_.segments) {
    if (segment.type != PT_LOAD || address < segment.address) continue;
    const std::uint64_t into = address - segment.address;
    if (into < segment.file_bytes) return {segment.offset_bytes + into, segment.file_bytes - into};
  }
  malformed("has its " + std::string(what) + " at an address that none of its segments fills");
}

std::uint64_t ElfReader::offset_of_table(std::uint64_t address, std::uint64_t count,
                                         std::uint64_t element_bytes, std::string_view what) const {
  const Place place = place_of(address, what);
  if (count > place.available_bytes / element_bytes) {
    malformed("has a " + std::string(what) + " that runs past its segment");
  }
  return place.offset_bytes;
}

std::uint64_t ElfReader::entry(std::int64_t tag) const {
  const auto at = dynamic_.find(tag);
  return at == dynamic_.end() ? 0 : at->second;
}

void ElfReader::read_header() {
  std::array<unsigned char, EI_NIDENT> ident{};
  const auto known = static_cast<std::size_t>(std::min<std::uint64_t>(file_.size_bytes(), ident.size()));
  if (known == 0) throw ElfDefect(defect("file.elf", "is empty", std::string(rebuild)));
  read_bytes(0, std::as_writable_bytes(std::span(ident).first(known)), "identification");
  if (std::memcmp(ident.data(), ELFMAG, std::min<std::size_t>(known, SELFMAG)) != 0) {
    malformed("is not an ELF file: it begins with other bytes");
  }
  if (known < ident.size()) cut_off("ELF header", sizeof(Elf64_Ehdr));
  if (ident[EI_CLASS] == ELFCLASS32 || ident[EI_DATA] == ELFDATA2MSB) {
    const std::string found =
        ident[EI_CLASS] == ELFCLASS32 ? "a 32-bit ELF file" : "an ELF file of a big-endian machine";
    Problem problem = defect("file.elf-machine", "is " + found, "Build the provider for this machine.");
    problem.code = TENURE_FAILED_PRECONDITION;
    problem.wanted = "a 64-bit little-endian ELF file for " + elf_machine_name(elf_machine_here());
    problem.found = found;
    problem.message += "; this process needs " + problem.wanted;
    throw ElfDefect(std::move(problem));
  }
  if (ident[EI_CLASS] != ELFCLASS64 || ident[EI_DATA] != ELFDATA2LSB || ident[EI_VERSION] != EV_CURRENT) {
    malformed("has an ELF header with unknown class, byte order or version");
  }
  const auto header = value_at<Elf64_Ehdr>(0, "ELF header");
  elf_.machine = header.e_machine;
  elf_.type = header.e_type;
  segment_table_offset_bytes_ = header.e_phoff;
  segment_count_ = header.e_phnum;
  if (segment_count_ != 0 && header.e_phentsize != sizeof(Elf64_Phdr)) {
    malformed("has program headers of " + std::to_string(header.e_phentsize) + " bytes instead of " +
              std::to_string(sizeof(Elf64_Phdr)));
  }
}

void ElfReader::read_segments() {
  if (segment_count_ == 0 || segment_count_ == PN_XNUM) {
    malformed("has an impossible number of program headers: " + std::to_string(segment_count_));
  }
  const auto table =
      table_at<Elf64_Phdr>(segment_table_offset_bytes_, segment_count_, "program header table");
  for (const Elf64_Phdr& raw : table) {
    if (raw.p_type == PT_NULL) continue;
    require_inside(raw.p_offset, raw.p_filesz, 1, raw.p_type == PT_LOAD ? "loaded segment" : "segment");
    elf_.segments.push_back({.type = raw.p_type,
                             .flags = raw.p_flags,
                             .offset_bytes = raw.p_offset,
                             .address = raw.p_vaddr,
                             .file_bytes = raw.p_filesz,
                             .memory_bytes = raw.p_memsz,
                             .alignment_bytes = raw.p_align});
  }
  elf_.has_interpreter = elf_.find_segment(PT_INTERP) != nullptr;
}

// What the dynamic linker takes for granted, and maps wrongly otherwise.
void ElfReader::check_loaded_segments() const {
  std::uint64_t last_end = 0;
  bool any = false;
  for (const ElfSegment& segment : elf_.segments) {
    if (segment.type != PT_LOAD) continue;
    std::uint64_t end = 0;
    if (segment.file_bytes > segment.memory_bytes ||
        __builtin_add_overflow(segment.address, segment.memory_bytes, &end)) {
      malformed("has a loaded segment of impossible size");
    }
    if (any && segment.address < last_end) malformed("has loaded segments that overlap or are out of order");
    if (segment.alignment_bytes > 1 &&
        (segment.address - segment.offset_bytes) % segment.alignment_bytes != 0) {
      malformed("has a loaded segment whose address and file offset do not agree");
    }
    last_end = end;
    any = true;
  }
  if (!any) malformed("has no loaded segment");
}

void ElfReader::read_notes() {
  std::uint64_t bytes = 0;
  for (const ElfSegment& segment : elf_.segments) {
    if (segment.type != PT_NOTE) continue;
    bytes += segment.file_bytes;
    require_believable(bytes, ElfLimits::notes_bytes_max, "set of notes");
    // Notes are padded to 4 bytes, and to 8 in segments aligned so; other alignments are a mistake of the
    // file's maker, which ElfNote keeps for whoever judges the note. Some linkers put both kinds into one
    // segment aligned to 8; the 8-byte kind is then a multiple of 8 long, so that padding to 4 reads all.
    const bool is_read =
        (segment.alignment_bytes == 8 && read_notes_of(segment, 8)) || read_notes_of(segment, 4);
    if (!is_read) malformed("has a note that runs past its segment");
  }
}

bool ElfReader::read_notes_of(const ElfSegment& segment, std::uint64_t padding_bytes) {
  const auto padded = [padding_bytes](std::uint64_t bytes) {
    return (bytes + padding_bytes - 1) / padding_bytes * padding_bytes;
  };
  std::vector<ElfNote> notes;
  std::uint64_t at = 0;
  while (segment.file_bytes - at >= sizeof(Elf64_Nhdr)) {
    const auto header = value_at<Elf64_Nhdr>(segment.offset_bytes + at, "note");
    const std::uint64_t description_at = padded(sizeof(Elf64_Nhdr) + header.n_namesz);
    const std::uint64_t end = description_at + header.n_descsz;
    if (end > segment.file_bytes - at) return false;
    ElfNote note{.owner = std::string(header.n_namesz, '\0'),
                 .type = header.n_type,
                 .description = std::vector<std::byte>(header.n_descsz),
                 .segment_alignment_bytes = segment.alignment_bytes};
    read_bytes(segment.offset_bytes + at + sizeof(Elf64_Nhdr), std::as_writable_bytes(std::span(note.owner)),
               "note");
    read_bytes(segment.offset_bytes + at + description_at, note.description, "note");
    note.owner.resize(::strnlen(note.owner.data(), note.owner.size()));
    notes.push_back(std::move(note));
    at += std::min(padded(end), segment.file_bytes - at);
  }
  elf_.notes.insert(elf_.notes.end(), std::make_move_iterator(notes.begin()),
                    std::make_move_iterator(notes.end()));
  return true;
}

ElfFile ElfReader::read() && {
  read_header();
  if (elf_.type != ET_DYN && elf_.type != ET_EXEC) return std::move(elf_);
  read_segments();
  check_loaded_segments();
  read_notes();
  read_dynamic();
  if (elf_.has_dynamic) {
    read_strings();
    read_dynamic_texts();
    check_relocations();
    read_version_needs();
    read_version_definitions();
    read_symbols();
  }
  return std::move(elf_);
}

std::variant<ElfFile, Problem> read_elf(const OpenedFile& file) {
  try {
    return ElfReader(file).read();
  } catch (const ElfDefect& found) {
    return found.problem;
  }
}

}  // namespace tenure::inline TENURE_BUILD
