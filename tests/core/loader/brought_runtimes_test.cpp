// SPDX-License-Identifier: Apache-2.0
#include "loader/brought_runtimes.hpp"

#include <doctest/doctest.h>

#include <fstream>

#include "loader/memory_map.hpp"
#include "temporary_folder.hpp"

namespace {

using namespace tenure;

NeededLibrary needed(std::string path, bool already_loaded = false) {
  return {.name = path,
          .needed_by = "/p/provider.so",
          .path = path,
          .already_loaded = already_loaded,
          .versions = {},
          .searched = {}};
}

MappedRange mapped(std::string path) { return {.begin = 0, .end = 1, .file = {}, .path = std::move(path)}; }

}  // namespace

TEST_CASE("brought_runtimes: run-time libraries are told from others by their file names") {
  const auto brought = brought_runtimes({needed("/usr/lib/libc.so.6"), needed("/usr/lib/libtbb.so.12", true),
                                         needed("/usr/lib/libgomp.so.1"), needed("/usr/lib/libopenblas.so.0"),
                                         needed("/usr/lib/libjemalloc.so.2")});
  REQUIRE(brought.size() == 4);
  CHECK(brought[0].kind == "TBB");
  CHECK(brought[0].already_loaded);
  CHECK(brought[1].kind == "OpenMP");
  CHECK(brought[2].kind == "BLAS");
  CHECK(brought[3].kind == "allocator");
}

TEST_CASE("duplicate_runtimes: a second library of a kind is a warning that names both") {
  const auto brought = brought_runtimes({needed("/usr/lib/libgomp.so.1")});
  const auto problems =
      duplicate_runtimes(brought, {mapped("/opt/libiomp5.so"), mapped("/usr/lib/libtbb.so.12")});
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].id == "file.duplicate-runtimes");
  CHECK(problems[0].severity == Severity::warning);
  CHECK(problems[0].found == "/opt/libiomp5.so and /usr/lib/libgomp.so.1");
}

TEST_CASE("duplicate_runtimes: one of a kind, the same file twice, or one that is mapped already is fine") {
  CHECK(duplicate_runtimes(brought_runtimes({needed("/usr/lib/libgomp.so.1")}),
                           {mapped("/usr/lib/libgomp.so.1")})
            .empty());
  CHECK(duplicate_runtimes(brought_runtimes({needed("/usr/lib/libgomp.so.1", true)}),
                           {mapped("/opt/libiomp5.so")})
            .empty());
  const tenure_test::TemporaryFolder folder;
  std::ofstream(folder / "libtbb.so.12.8") << "x";
  std::filesystem::create_symlink("libtbb.so.12.8", folder / "libtbb.so.12");
  CHECK(duplicate_runtimes(brought_runtimes({needed((folder / "libtbb.so.12").string())}),
                           {mapped((folder / "libtbb.so.12.8").string())})
            .empty());
}

TEST_CASE("duplicate_runtimes: two that one provider brings are two") {
  const auto brought = brought_runtimes({needed("/a/libopenblas.so.0"), needed("/b/libmkl_rt.so.2")});
  CHECK(duplicate_runtimes(brought, {}).size() == 1);
}

TEST_CASE("read_memory_map: this program is in it") {
  const auto self = std::filesystem::canonical("/proc/self/exe").string();
  const auto here = reinterpret_cast<std::uintptr_t>(&read_memory_map);
  bool found = false;
  for (const MappedRange& range : read_memory_map()) {
    found = found || (range.begin <= here && here < range.end && range.path == self && !range.file.empty());
  }
  CHECK(found);
}
