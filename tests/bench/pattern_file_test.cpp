// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <string>

#include "bench_run.hpp"
#include "permute/pattern.hpp"
#include "usage_error.hpp"

namespace {

using namespace tenure::bench;
using tenure::test::run_bench;
using tenure::test::TemporaryFile;

std::string file_of(const std::string& patterns) {
  return R"({"version": 1, "index_base": 0, "patterns": [)" + patterns + "]}";
}

std::string pattern_of(const std::string& shape, const std::string& axes, const std::string& layout,
                       const std::string& dtype = "f64") {
  return R"({"id": "p", "dtype": ")" + dtype + R"(", "shape": )" + shape + R"(, "perm": )" + axes +
         R"(, "src_layout": )" + layout + "}";
}

const std::string compact = R"({"kind": "col_major"})";

// What reading the text says, or nothing.
std::string refusal_of(const std::string& text) {
  const TemporaryFile file(text);
  try {
    read_patterns(file.path());
  } catch (const FileError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_SUITE("bench/pattern_file") {
  TEST_CASE("a pattern is read with its name, extents, axes and strides") {
    const TemporaryFile file(
        file_of(pattern_of("[2, 3]", "[1, 0]", R"({"kind": "explicit_strides", "strides": [4, 1]})", "f32")));
    const auto patterns = read_patterns(file.path());

    REQUIRE(patterns.size() == 1);
    CHECK(patterns[0].name == "p");
    CHECK(patterns[0].element == Element::f32);
    CHECK(patterns[0].extents == std::vector<std::int64_t>{2, 3});
    CHECK(patterns[0].axes == std::vector<std::int64_t>{1, 0});
    const Enclosure enclosure = enclose(patterns[0]);
    CHECK(enclosure.extents == std::vector<std::int64_t>{4, 2});
    CHECK(enclosure.kept == std::vector<std::int64_t>{3, 2});
    CHECK(enclosure.order == std::vector<std::int64_t>{1, 0});
  }

  TEST_CASE("what is wrong is named with its place in the file") {
    CHECK(refusal_of("{").find("JSON") != std::string::npos);
    CHECK(refusal_of("[]").find("wanted an object") != std::string::npos);
    CHECK(refusal_of(R"({"version": 2})").find("version: wanted version 1") != std::string::npos);
    CHECK(refusal_of(R"({"version": 1, "index_base": 1})").find("index_base") != std::string::npos);
    CHECK(refusal_of(file_of("")).find("at least one pattern") != std::string::npos);
    CHECK(refusal_of(file_of("{}")).find("patterns[0]: 'id' is missing") != std::string::npos);
    CHECK(refusal_of(file_of(pattern_of("[2]", "[0]", compact, "f16"))).find("patterns[0].dtype") !=
          std::string::npos);
    CHECK(refusal_of(file_of(pattern_of("2", "[0]", compact))).find("wanted an array") != std::string::npos);
    CHECK(refusal_of(file_of(pattern_of("[2, 0]", "[0, 1]", compact))).find("at least 1") !=
          std::string::npos);
    CHECK(refusal_of(file_of(pattern_of("[1048576, 1048576]", "[0, 1]", compact))).find("at most") !=
          std::string::npos);
    CHECK(refusal_of(file_of(pattern_of("[2, 3]", "[0, 0]", compact))).find("patterns[0].perm") !=
          std::string::npos);
    CHECK(refusal_of(file_of(pattern_of("[2, 3]", "[0]", compact))).find("perm") != std::string::npos);
    CHECK(refusal_of(file_of(pattern_of("[2, 3]", "[0, 1]", R"({"kind": "row_major"})"))).find("row_major") !=
          std::string::npos);
    CHECK(
        refusal_of(file_of(pattern_of("[2, 3]", "[0, 1]", R"({"kind": "explicit_strides", "strides": [1]})")))
            .find("one stride for each") != std::string::npos);
    CHECK(refusal_of(
              file_of(pattern_of("[2, 3]", "[0, 1]", R"({"kind": "explicit_strides", "strides": [1, 1]})")))
              .find("src_layout") != std::string::npos);
  }

  TEST_CASE("the command measures a file's patterns and refuses a broken file with exit 2") {
    const std::string provider = std::string(TENURE_TEST_PROVIDERS) + "/libtenure_cpu.so";
    const TemporaryFile good(file_of(
        pattern_of("[5, 6, 7]", "[2, 0, 1]", R"({"kind": "explicit_strides", "strides": [10, 1, 60]})")));
    const auto run = run_bench({"permute", "--patterns", good.path(), "--provider", provider, "--min-time",
                                "0.001", "--threads", "2"});
    CHECK(run.error == "");
    CHECK(run.exit_status == 0);
    CHECK(run.out.find("permute/p/1t") != std::string::npos);
    CHECK(run.out.find("permute/p/2t") != std::string::npos);

    const TemporaryFile broken(file_of("{}"));
    const auto refused = run_bench({"permute", "--patterns", broken.path(), "--provider", provider});
    CHECK(refused.exit_status == 2);
    CHECK(refused.error.find(broken.path()) != std::string::npos);
    CHECK(run_bench({"permute", "--patterns", "/no/such/file", "--provider", provider}).exit_status == 2);
  }
}
