// SPDX-License-Identifier: Apache-2.0
// The dynamic symbol table. Nothing in the file says how long it is, so that has to be found out.
#include <algorithm>
#include <array>

#include "loader/elf_reader.hpp"

namespace tenure::inline TENURE_BUILD {

// The hash table lists every defined symbol, and the hidden words after its buckets are one for each symbol
// in order; the last one of the chain that begins last is the last symbol.
std::uint64_t ElfReader::count_by_gnu_hash(std::uint64_t address) const {
  struct Header {
    std::uint32_t bucket_count;
    std::uint32_t symbol_offset;
    std::uint32_t filter_words;
    std::uint32_t filter_shift;
  };
  constexpr std::string_view what = "symbol hash table";
  const Place place = place_of(address, what);
  const std::uint64_t end = place.offset_bytes + place.available_bytes;
  const auto header = value_at<Header>(place.offset_bytes, what);
  const std::uint64_t buckets_at =
      place.offset_bytes + sizeof(Header) + std::uint64_t{header.filter_words} * sizeof(std::uint64_t);
  const auto buckets = table_at<std::uint32_t>(buckets_at, header.bucket_count, what);
  const std::uint32_t last = buckets.empty() ? 0 : *std::ranges::max_element(buckets);
  if (last < header.symbol_offset) return header.symbol_offset;

  std::uint64_t symbol = last;
  std::uint64_t at =
      buckets_at + (std::uint64_t{header.bucket_count} + last - header.symbol_offset) * sizeof(std::uint32_t);
  constexpr std::uint64_t block_words = 1024;
  const std::uint64_t chain_at = at;
  while (at < end) {
    require_believable(at - chain_at, ElfLimits::table_bytes_max, what);
    const std::uint64_t words = std::min(block_words, (end - at) / sizeof(std::uint32_t));
    if (words == 0) break;
    for (const std::uint32_t word : table_at<std::uint32_t>(at, words, what)) {
      ++symbol;
      if ((word & 1u) != 0) return symbol;
    }
    at += words * sizeof(std::uint32_t);
  }
  malformed("has a symbol hash table without an end");
}

// Symbols that are only asked for need not be in the hash table, but what asks for them is a relocation.
std::uint64_t ElfReader::count_by_relocations() const {
  std::uint64_t count = 0;
  const auto look_at = [&](std::int64_t address, std::int64_t bytes) {
    const std::uint64_t entries = entry(bytes) / sizeof(Elf64_Rela);
    if (entries == 0) return;
    constexpr std::string_view what = "relocation table";
    const std::uint64_t offset = offset_of_table(entry(address), entries, sizeof(Elf64_Rela), what);
    for (const Elf64_Rela& each : table_at<Elf64_Rela>(offset, entries, what)) {
      if (ELF64_R_SYM(each.r_info) != 0) count = std::max<std::uint64_t>(count, ELF64_R_SYM(each.r_info) + 1);
    }
  };
  look_at(DT_RELA, DT_RELASZ);
  look_at(DT_JMPREL, DT_PLTRELSZ);
  return count;
}

std::uint64_t ElfReader::symbol_count() const {
  std::uint64_t count = 0;
  if (dynamic_.contains(DT_HASH)) {
    // bucket count, then the number of symbols
    count = table_at<std::uint32_t>(place_of(entry(DT_HASH), "symbol hash table").offset_bytes, 2,
                                    "symbol hash table")[1];
  } else if (dynamic_.contains(DT_GNU_HASH)) {
    count = count_by_gnu_hash(entry(DT_GNU_HASH));
  }
  return std::max(count, count_by_relocations());
}

void ElfReader::add_symbol(const Elf64_Sym& raw, std::uint16_t version) {
  const unsigned binding = ELF64_ST_BIND(raw.st_info);
  const unsigned visibility = ELF64_ST_VISIBILITY(raw.st_other);
  if (binding != STB_GLOBAL && binding != STB_WEAK && binding != STB_GNU_UNIQUE) return;
  if (visibility == STV_HIDDEN || visibility == STV_INTERNAL) return;
  ElfSymbol symbol{.name = string_at(raw.st_name, "symbol name"),
                   .version = {},
                   .defined = raw.st_shndx != SHN_UNDEF,
                   .weak = binding == STB_WEAK,
                   .unique = binding == STB_GNU_UNIQUE};
  // A version definition is itself a symbol, of its own name; it is nothing that anybody can ask for.
  const bool names_a_version =
      raw.st_shndx == SHN_ABS &&
      std::ranges::find(elf_.version_definitions, symbol.name) != elf_.version_definitions.end();
  if (symbol.name.empty() || names_a_version) return;
  const auto named = version_names_.find(version & 0x7fff);
  if (named != version_names_.end()) symbol.version = named->second;
  elf_.symbols.push_back(symbol);
}

void ElfReader::read_symbols() {
  if (!dynamic_.contains(DT_SYMTAB)) return;
  constexpr std::string_view what = "dynamic symbol table";
  const std::uint64_t count = symbol_count();
  if (count <= 1) return;  // the first one is always empty
  const auto raw =
      table_at<Elf64_Sym>(offset_of_table(entry(DT_SYMTAB), count, sizeof(Elf64_Sym), what), count, what);
  std::vector<std::uint16_t> versions(count);
  if (dynamic_.contains(DT_VERSYM)) {
    constexpr std::string_view version_table = "table of symbol versions";
    versions = table_at<std::uint16_t>(
        offset_of_table(entry(DT_VERSYM), count, sizeof(std::uint16_t), version_table), count, version_table);
  }
  for (std::size_t index = 1; index < raw.size(); ++index) add_symbol(raw[index], versions[index]);
}

}  // namespace tenure::inline TENURE_BUILD
