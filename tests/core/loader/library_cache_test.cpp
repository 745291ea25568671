// SPDX-License-Identifier: Apache-2.0
#include "loader/library_cache.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "temporary_folder.hpp"

namespace {

using tenure::LibraryCache;
using tenure_test::TemporaryFolder;

struct Entry {
  std::int32_t flags;
  std::string name;
  std::string path;
};

// The bytes of a cache with these entries.
std::string cache_bytes(const std::vector<Entry>& entries) {
  std::string head = "glibc-ld.so.cache1.1";
  std::string texts;
  const auto add_word = [](std::string& to, std::uint32_t word) {
    to.append(reinterpret_cast<const char*>(&word), sizeof word);
  };
  const std::size_t texts_at = 48 + entries.size() * 24;
  std::string table;
  for (const Entry& entry : entries) {
    add_word(table, static_cast<std::uint32_t>(entry.flags));
    add_word(table, static_cast<std::uint32_t>(texts_at + texts.size()));
    texts += entry.name + '\0';
    add_word(table, static_cast<std::uint32_t>(texts_at + texts.size()));
    texts += entry.path + '\0';
    table.append(12, '\0');
  }
  add_word(head, static_cast<std::uint32_t>(entries.size()));
  add_word(head, static_cast<std::uint32_t>(texts.size()));
  head.append(20, '\0');
  return head + table + texts;
}

std::string write(const TemporaryFolder& folder, const std::string& bytes) {
  std::ofstream(folder / "cache", std::ios::binary) << bytes;
  return (folder / "cache").string();
}

#if defined(__x86_64__)
constexpr std::int32_t here = 0x0303;
#else
constexpr std::int32_t here = 0x0a03;
#endif

}  // namespace

TEST_CASE("LibraryCache: entries of this machine are found by name, best first") {
  const TemporaryFolder folder;
  const auto cache = LibraryCache::read(write(folder, cache_bytes({{here, "libx.so.1", "/fast/libx.so.1"},
                                                                   {here, "libx.so.1", "/lib/libx.so.1"},
                                                                   {0x0001, "libx.so.1", "/lib32/libx.so.1"},
                                                                   {here, "liby.so", "/lib/liby.so"}})));
  CHECK(cache.find("libx.so.1") == std::vector<std::string>{"/fast/libx.so.1", "/lib/libx.so.1"});
  CHECK(cache.find("liby.so") == std::vector<std::string>{"/lib/liby.so"});
  CHECK(cache.find("libz.so").empty());
}

TEST_CASE("LibraryCache: a missing, foreign or cut-off file is an empty index") {
  const TemporaryFolder folder;
  CHECK(LibraryCache::read((folder / "none").string()).size() == 0);
  CHECK(LibraryCache::read(write(folder, "ld.so-1.7.0 and nothing else, but long enough to hold a header"))
            .size() == 0);
  const std::string good = cache_bytes({{here, "libx.so.1", "/lib/libx.so.1"}});
  for (std::size_t size = 0; size < good.size(); ++size) {
    CHECK(LibraryCache::read(write(folder, good.substr(0, size))).size() == 0);
  }
}

TEST_CASE("LibraryCache: bytes changed at random do no harm") {
  const TemporaryFolder folder;
  const std::string good =
      cache_bytes({{here, "libx.so.1", "/lib/libx.so.1"}, {here, "liby.so", "/lib/liby.so"}});
  std::mt19937 random(7);
  for (int round = 0; round < 500; ++round) {
    std::string bytes = good;
    for (int change = 0; change < 4; ++change) bytes[random() % bytes.size()] = static_cast<char>(random());
    LibraryCache::read(write(folder, bytes)).find("libx.so.1");
  }
}

TEST_CASE("LibraryCache: the system's own index knows the C library") {
  const auto cache = LibraryCache::read();
  if (cache.size() != 0) CHECK_FALSE(cache.find("libc.so.6").empty());
}
