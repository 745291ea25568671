// SPDX-License-Identifier: Apache-2.0
#include "loader/library_cache.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

#include "loader/opened_file.hpp"

namespace tenure::inline TENURE_BUILD {

namespace {

// The format that glibc has written since 2.2; text offsets count from the start of the file.
struct Header {
  std::array<char, 20> magic;
  std::uint32_t entry_count;
  std::uint32_t text_bytes;
  std::array<std::uint32_t, 5> rest;
};
struct Entry {
  std::int32_t flags;
  std::uint32_t name;
  std::uint32_t path;
  std::uint32_t os_version;
  std::uint64_t hardware;
};
static_assert(sizeof(Header) == 48 && sizeof(Entry) == 24);

constexpr std::string_view magic = "glibc-ld.so.cache1.1";

// ELF, glibc 2, and the machine's own number.
#if defined(__x86_64__)
constexpr std::int32_t flags_here = 0x0303;
#else
constexpr std::int32_t flags_here = 0x0a03;
#endif

std::optional<std::string_view> text_at(const std::vector<char>& bytes, std::uint32_t offset) {
  if (offset >= bytes.size()) return std::nullopt;
  const char* const text = bytes.data() + offset;
  const std::size_t available = bytes.size() - offset;
  const std::size_t length = ::strnlen(text, available);
  if (length == available) return std::nullopt;
  return std::string_view(text, length);
}

}  // namespace

LibraryCache LibraryCache::read(const std::string& path) {
  LibraryCache cache;
  const auto file = OpenedFile::open(path);
  constexpr std::uint64_t believable_bytes = std::uint64_t{64} << 20;
  if (!file || file->size_bytes() < sizeof(Header) || file->size_bytes() > believable_bytes) return cache;
  std::vector<char> bytes(file->size_bytes());
  if (!file->read(0, std::as_writable_bytes(std::span(bytes)))) return cache;
  Header header;
  std::memcpy(&header, bytes.data(), sizeof header);
  if (std::string_view(header.magic.data(), header.magic.size()) != magic) return cache;
  if (header.entry_count > (bytes.size() - sizeof header) / sizeof(Entry)) return cache;
  for (std::uint32_t index = 0; index < header.entry_count; ++index) {
    Entry entry;
    std::memcpy(&entry, bytes.data() + sizeof header + index * sizeof entry, sizeof entry);
    const auto name = text_at(bytes, entry.name);
    const auto target = text_at(bytes, entry.path);
    if (entry.flags == flags_here && name && target) cache.entries_.emplace(*name, *target);
  }
  return cache;
}

std::vector<std::string> LibraryCache::find(std::string_view name) const {
  std::vector<std::string> paths;
  const auto [first, last] = entries_.equal_range(name);
  for (auto at = first; at != last; ++at) paths.push_back(at->second);
  return paths;
}

}  // namespace tenure::inline TENURE_BUILD
