// SPDX-License-Identifier: Apache-2.0
#include "child_result.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <nlohmann/json.hpp>

namespace {

using namespace tenure::probe;

const std::string token = "abcdefghijklmnop";

std::string message(std::string_view own_token, std::string_view content) {
  const auto length = static_cast<std::uint32_t>(own_token.size() + content.size());
  std::string bytes(sizeof length, '\0');
  std::memcpy(bytes.data(), &length, sizeof length);
  return bytes.append(own_token).append(content);
}

}  // namespace

TEST_SUITE("probe/child_result") {
  TEST_CASE("read_result: one whole message with the token is read") {
    const auto content = read_result(token, message(token, R"({"verdict": "passed"})"));

    REQUIRE(content.has_value());
    CHECK(content->at("verdict") == "passed");
  }

  TEST_CASE("read_result: anything else than one whole message with the token is nothing") {
    const std::string whole = message(token, R"({"verdict": "passed"})");

    CHECK_FALSE(read_result(token, "").has_value());
    CHECK_FALSE(read_result(token, whole.substr(0, 3)).has_value());
    CHECK_FALSE(read_result(token, whole.substr(0, whole.size() - 1)).has_value());
    CHECK_FALSE(read_result(token, whole + "x").has_value());
    CHECK_FALSE(read_result(token, whole + whole).has_value());
    CHECK_FALSE(read_result(token, "x" + whole).has_value());
    CHECK_FALSE(read_result(token, message("ponmlkjihgfedcba", "{}")).has_value());
    CHECK_FALSE(read_result(token, message(token, "no json")).has_value());
  }

  TEST_CASE("make_result_token: tokens have one length and differ") {
    const std::string first = make_result_token();

    CHECK(first.size() == 16);
    CHECK(first != make_result_token());
  }
}
