// SPDX-License-Identifier: Apache-2.0
// elf_reader: the steps of read_elf over one file, each of which checks what it reads.
#pragma once

#include <elf.h>

#include <cstdint>
#include <exception>
#include <map>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "loader/elf_file.hpp"

namespace tenure::inline TENURE_BUILD {

// What is believed of a file. Files can be sparse, so that their size does not bound what is read from them.
struct ElfLimits {
  static constexpr std::uint64_t table_bytes_max = std::uint64_t{256} << 20;
  static constexpr std::uint64_t dynamic_bytes_max = std::uint64_t{1} << 20;
  // A smaller table that finds no memory says nothing about the file.
  static constexpr std::uint64_t large_table_bytes = std::uint64_t{1} << 20;
  static constexpr std::uint64_t notes_bytes_max = std::uint64_t{1} << 20;  // of all segments together
};

// Leaves the reader's steps and never read_elf itself.
struct ElfDefect final : std::exception {
  explicit ElfDefect(Problem what_is_wrong) : problem(std::move(what_is_wrong)) {}
  Problem problem;
};

class ElfReader {
 public:
  explicit ElfReader(const OpenedFile& file) : file_(file) {}
  // Throws ElfDefect.
  ElfFile read() &&;

 private:
  // elf_reader.cpp
  void read_header();
  void read_segments();
  void check_loaded_segments() const;
  void read_notes();
  // False, with nothing kept, when the notes do not end with the segment under this padding.
  bool read_notes_of(const ElfSegment& segment, std::uint64_t padding_bytes);
  // elf_dynamic.cpp
  void read_dynamic();
  void read_strings();
  void read_dynamic_texts();
  void check_relocations();
  void read_version_needs();
  void read_version_definitions();
  std::string_view string_at(std::uint64_t offset_bytes, std::string_view what) const;
  // elf_symbols.cpp
  void read_symbols();
  std::uint64_t symbol_count() const;
  std::uint64_t count_by_gnu_hash(std::uint64_t address) const;
  std::uint64_t count_by_relocations() const;
  void add_symbol(const Elf64_Sym& raw, std::uint16_t version);

  // Reading with checks; `what` names the thing in the message.
  void read_bytes(std::uint64_t offset_bytes, std::span<std::byte> out, std::string_view what) const;
  template <class T>
  T value_at(std::uint64_t offset_bytes, std::string_view what) const {
    static_assert(std::is_trivially_copyable_v<T>);
    T value;
    read_bytes(offset_bytes, std::as_writable_bytes(std::span(&value, 1)), what);
    return value;
  }
  template <class T>
  std::vector<T> table_at(std::uint64_t offset_bytes, std::uint64_t count, std::string_view what) const {
    static_assert(std::is_trivially_copyable_v<T>);
    require_inside(offset_bytes, count, sizeof(T), what);
    require_believable(count * sizeof(T), ElfLimits::table_bytes_max, what);
    std::vector<T> table = room_for<T>(count, what);
    read_bytes(offset_bytes, std::as_writable_bytes(std::span(table)), what);
    return table;
  }
  template <class T>
  static std::vector<T> room_for(std::uint64_t count, std::string_view what) {
    try {
      return std::vector<T>(count);
    } catch (const std::bad_alloc&) {
      if (count * sizeof(T) < ElfLimits::large_table_bytes) throw;
      throw_too_large(count * sizeof(T), what);
    }
  }
  void require_inside(std::uint64_t offset_bytes, std::uint64_t count, std::uint64_t element_bytes,
                      std::string_view what) const;
  static void require_believable(std::uint64_t bytes, std::uint64_t bytes_max, std::string_view what);
  // Where in the file the bytes of that address are, and how many follow in the same segment.
  struct Place {
    std::uint64_t offset_bytes;
    std::uint64_t available_bytes;
  };
  Place place_of(std::uint64_t address, std::string_view what) const;
  // The same for a table, all of which must be in one segment.
  std::uint64_t offset_of_table(std::uint64_t address, std::uint64_t count, std::uint64_t element_bytes,
                                std::string_view what) const;
  // A dynamic entry, or 0.
  std::uint64_t entry(std::int64_t tag) const;

  [[noreturn]] static void malformed(std::string message);
  [[noreturn]] static void throw_too_large(std::uint64_t bytes, std::string_view what);
  [[noreturn]] void cut_off(std::string_view what, std::uint64_t end_bytes) const;

  const OpenedFile& file_;
  ElfFile elf_;
  std::uint64_t segment_table_offset_bytes_ = 0;
  std::uint16_t segment_count_ = 0;
  std::map<std::int64_t, std::uint64_t> dynamic_;
  std::vector<std::uint64_t> needed_offsets_;
  std::map<std::uint16_t, std::string_view> version_names_;  // by the number that symbols use
};

}  // namespace tenure::inline TENURE_BUILD
