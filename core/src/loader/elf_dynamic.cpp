// SPDX-License-Identifier: Apache-2.0
// The dynamic section: what the dynamic linker is told about the file.
#include <algorithm>
#include <array>
#include <cstring>

#include "loader/elf_reader.hpp"

namespace tenure::inline TENURE_BUILD {

namespace {

// Symbols give their version in 15 bits.
constexpr std::uint64_t versions_max = 0x7fff;
constexpr std::uint16_t version_mask = 0x7fff;

}  // namespace

void ElfReader::read_dynamic() {
  const ElfSegment* segment = elf_.find_segment(PT_DYNAMIC);
  if (segment == nullptr) return;
  elf_.has_dynamic = true;
  // The dynamic linker reads it from memory, at its address.
  const std::uint64_t count = segment->file_bytes / sizeof(Elf64_Dyn);
  require_believable(segment->file_bytes, ElfLimits::dynamic_bytes_max, "dynamic section");
  const std::uint64_t offset = offset_of_table(segment->address, count, sizeof(Elf64_Dyn), "dynamic section");
  bool ended = false;
  for (const Elf64_Dyn& raw : table_at<Elf64_Dyn>(offset, count, "dynamic section")) {
    if (raw.d_tag == DT_NULL) {
      ended = true;
      break;
    }
    if (raw.d_tag == DT_NEEDED) {
      needed_offsets_.push_back(raw.d_un.d_val);
    } else {
      dynamic_[raw.d_tag] = raw.d_un.d_val;
    }
  }
  if (!ended) malformed("has a dynamic section without an end");

  elf_.flags = entry(DT_FLAGS);
  elf_.flags_1 = entry(DT_FLAGS_1);
  elf_.text_relocations = dynamic_.contains(DT_TEXTREL) || (elf_.flags & DF_TEXTREL) != 0;
  elf_.bind_now =
      dynamic_.contains(DT_BIND_NOW) || (elf_.flags & DF_BIND_NOW) != 0 || (elf_.flags_1 & DF_1_NOW) != 0;
  const std::uint64_t initialisers = entry(DT_INIT_ARRAYSZ) / sizeof(Elf64_Addr);
  if (initialisers != 0) {
    offset_of_table(entry(DT_INIT_ARRAY), initialisers, sizeof(Elf64_Addr), "list of initialisers");
  }
  elf_.initialisers = initialisers;
}

void ElfReader::read_strings() {
  const std::uint64_t bytes = entry(DT_STRSZ);
  if (!dynamic_.contains(DT_STRTAB) || bytes == 0) malformed("has a dynamic section without strings");
  elf_.strings = table_at<char>(offset_of_table(entry(DT_STRTAB), bytes, 1, "dynamic string table"), bytes,
                                "dynamic string table");
}

std::string_view ElfReader::string_at(std::uint64_t offset_bytes, std::string_view what) const {
  if (offset_bytes >= elf_.strings.size()) {
    malformed("has a " + std::string(what) + " outside of its dynamic string table");
  }
  const char* const text = elf_.strings.data() + offset_bytes;
  const std::size_t available = elf_.strings.size() - offset_bytes;
  const std::size_t bytes = ::strnlen(text, available);
  if (bytes == available) malformed("has a " + std::string(what) + " without an end");
  return {text, bytes};
}

void ElfReader::read_dynamic_texts() {
  for (const std::uint64_t offset : needed_offsets_) {
    elf_.needed.push_back(string_at(offset, "name of a needed library"));
  }
  const auto text = [this](std::int64_t tag, std::string_view what) {
    return dynamic_.contains(tag) ? string_at(entry(tag), what) : std::string_view();
  };
  elf_.soname = text(DT_SONAME, "SONAME");
  elf_.run_path = text(DT_RUNPATH, "RUNPATH");
  elf_.rpath = text(DT_RPATH, "RPATH");
}

// The dynamic linker walks these without looking.
void ElfReader::check_relocations() {
  const auto check = [this](std::int64_t address, std::int64_t bytes, std::string_view what) {
    if (entry(bytes) != 0) offset_of_table(entry(address), entry(bytes), 1, what);
  };
  check(DT_RELA, DT_RELASZ, "relocation table");
  check(DT_JMPREL, DT_PLTRELSZ, "table of procedure relocations");
  constexpr std::int64_t packed_address = 36;  // DT_RELR and DT_RELRSZ, which older elf.h lack
  constexpr std::int64_t packed_bytes = 35;
  check(packed_address, packed_bytes, "table of packed relocations");
}

void ElfReader::read_version_needs() {
  const std::uint64_t count = entry(DT_VERNEEDNUM);
  if (count == 0) return;
  Place place = place_of(entry(DT_VERNEED), "table of needed versions");
  std::uint64_t left = versions_max;
  for (std::uint64_t index = 0; index < count; ++index) {
    const auto need = value_at<Elf64_Verneed>(place.offset_bytes, "table of needed versions");
    const std::string_view library = string_at(need.vn_file, "name of a needed library");
    std::uint64_t at = place.offset_bytes + need.vn_aux;
    for (std::uint16_t nth = 0; nth < need.vn_cnt; ++nth) {
      if (left-- == 0) malformed("needs an impossible number of versions");
      const auto version = value_at<Elf64_Vernaux>(at, "table of needed versions");
      const std::string_view name = string_at(version.vna_name, "name of a needed version");
      elf_.version_needs.push_back({library, name, (version.vna_flags & VER_FLG_WEAK) != 0});
      version_names_[version.vna_other & version_mask] = name;
      at += version.vna_next;
    }
    if (left-- == 0) malformed("needs an impossible number of versions");
    place.offset_bytes += need.vn_next;
  }
}

void ElfReader::read_version_definitions() {
  const std::uint64_t count = entry(DT_VERDEFNUM);
  if (count == 0) return;
  if (count > versions_max) malformed("defines an impossible number of versions");
  std::uint64_t at = place_of(entry(DT_VERDEF), "table of defined versions").offset_bytes;
  for (std::uint64_t index = 0; index < count; ++index) {
    const auto definition = value_at<Elf64_Verdef>(at, "table of defined versions");
    const auto name = value_at<Elf64_Verdaux>(at + definition.vd_aux, "table of defined versions");
    const std::string_view text = string_at(name.vda_name, "name of a defined version");
    // The first one names the file itself.
    if ((definition.vd_flags & VER_FLG_BASE) == 0) {
      elf_.version_definitions.push_back(text);
      version_names_[definition.vd_ndx & version_mask] = text;
    }
    at += definition.vd_next;
  }
}

}  // namespace tenure::inline TENURE_BUILD
