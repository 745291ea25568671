// SPDX-License-Identifier: Apache-2.0
#include "tenure/sdk/open_options.hpp"

#include <doctest/doctest.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sdk = tenure::sdk;

namespace {

sdk::OpenOptions options_of(std::initializer_list<std::pair<std::string_view, std::string_view>> pairs) {
  std::vector<tenure_string> keys, values;
  for (const auto& [key, value] : pairs) {
    keys.push_back(sdk::to_c(key));
    values.push_back(sdk::to_c(value));
  }
  auto args = tenure::abi::make_struct<tenure_open_args>();
  args.keys = keys.data();
  args.values = values.data();
  args.count = keys.size();
  return sdk::OpenOptions(&args);
}

template <class Body>
std::string message_of(const Body& body) {
  try {
    body();
  } catch (const sdk::Error& error) {
    CHECK(error.code() == TENURE_INVALID_ARGUMENT);
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("OpenOptions: values are read by key and keys that were not given have their default") {
  auto options = options_of({{"name", "left"}, {"threads", "4"}, {"pinned", "true"}});

  CHECK(options.text("name") == "left");
  CHECK(options.text("place", "here") == "here");
  CHECK_FALSE(options.text("other").has_value());
  CHECK(options.integer("threads", 1) == 4);
  CHECK(options.integer("lanes", -7) == -7);
  CHECK(options.boolean("pinned", false));
  CHECK(options.boolean("mapped", true));
  options.require_all_known();
}

TEST_CASE("OpenOptions: no arguments are no options") {
  sdk::OpenOptions options(nullptr);
  CHECK_FALSE(options.text("name").has_value());
  options.require_all_known();
}

TEST_CASE("OpenOptions: an unknown key is refused and the message names the known ones") {
  auto options = options_of({{"thread", "4"}});
  options.integer("threads", 1);
  options.boolean("pinned", false);
  CHECK(message_of([&] { options.require_all_known(); }) ==
        "there is no option \"thread\"; this provider takes threads, pinned");

  auto none = options_of({{"a", "b"}});
  CHECK(message_of([&] { none.require_all_known(); }) ==
        "there is no option \"a\"; this provider takes none");
}

TEST_CASE("OpenOptions: a number must be whole, within its range and nothing else") {
  for (const std::string_view text : {"", "x", "4x", "4.5", " 4", "0", "9", "99999999999999999999"}) {
    CAPTURE(text);
    auto options = options_of({{"threads", text}});
    CHECK(message_of([&] { options.integer("threads", 1, 1, 8); }) ==
          "the option \"threads\" is \"" + std::string(text) + "\"; expected a whole number from 1 to 8");
  }
  CHECK(options_of({{"n", "-9223372036854775808"}}).integer("n", 0) == INT64_MIN);
}

TEST_CASE("OpenOptions: a boolean is spelt true or false") {
  for (const std::string_view text : {"", "1", "yes", "TRUE"}) {
    CAPTURE(text);
    auto options = options_of({{"pinned", text}});
    CHECK(message_of([&] { options.boolean("pinned", false); }).ends_with("expected true or false"));
  }
  CHECK_FALSE(options_of({{"pinned", "false"}}).boolean("pinned", true));
}

TEST_CASE("OpenOptions: empty and repeated keys are refused") {
  CHECK(message_of([] { options_of({{"", "1"}}); }) == "an open option has an empty key");
  CHECK(message_of([] { options_of({{"a", "1"}, {"a", "1"}}); }) == "the option \"a\" is given twice");
}

TEST_CASE("OpenOptions: a count without arrays and another struct are refused") {
  auto args = tenure::abi::make_struct<tenure_open_args>();
  args.count = 1;
  CHECK(message_of([&] { sdk::OpenOptions options(&args); }) ==
        "the open options have a count but no keys or no values");
  args.head.kind = TENURE_KIND_STATUS;
  CHECK(message_of([&] { sdk::OpenOptions options(&args); }).starts_with("open: args has kind 1"));
}
