// SPDX-License-Identifier: Apache-2.0
#include "loader/similar_names.hpp"

#include <doctest/doctest.h>

#include <fstream>

#include "temporary_folder.hpp"

using tenure::names_are_similar;
using tenure::similar_files;

TEST_CASE("names_are_similar: another version of the same library, or a slip of the finger") {
  CHECK(names_are_similar("libfoo.so.2", "libfoo.so.1"));
  CHECK(names_are_similar("libfoo.so.2", "libfoo.so"));
  CHECK(names_are_similar("libtenure_cpu.so", "libtenure_cup.so"));
  CHECK(names_are_similar("libtenure_cpu.so", "libtenure_cpu.s"));
  CHECK_FALSE(names_are_similar("libfoo.so", "libbar.so"));
  CHECK_FALSE(names_are_similar("libfoo.so", "libfoobar.so"));
  CHECK_FALSE(names_are_similar("", "a"));
}

TEST_CASE("similar_files: similar names of a folder, sorted, not the name itself, at most three") {
  const tenure_test::TemporaryFolder folder;
  for (const char* name :
       {"libfoo.so", "libfoo.so.1", "libfoo.so.2", "libfoo.so.3", "libfoo.so.4", "other"}) {
    std::ofstream(folder / name) << "x";
  }
  const auto found = similar_files(folder.path().string(), "libfoo.so.9");
  REQUIRE(found.size() == 3);
  CHECK(found[0] == (folder / "libfoo.so").string());
  CHECK(found[1] == (folder / "libfoo.so.1").string());
  CHECK(similar_files(folder.path().string(), "other").empty());
  CHECK(similar_files((folder / "nowhere").string(), "libfoo.so").empty());
}
