// SPDX-License-Identifier: Apache-2.0
#include "snapshot_file.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "support/caught.hpp"
#include "support/sample_snapshot.hpp"

using namespace tenure;
using nlohmann::json;
using pool_report::FileError;
using pool_report::parse_snapshot;
using tenure_test::caught;
using tenure_test::contains;

namespace {

std::string refusal(const std::string& text) {
  return caught<FileError>([&] { return parse_snapshot(text, "pool.json"); }).what();
}

// What is said of the sample after `spoil`.
std::string refusal(const std::function<void(json&)>& spoil) {
  json document = json::parse(to_json(test::sample_snapshot()));
  spoil(document);
  return refusal(document.dump());
}

}  // namespace

TEST_CASE("snapshot file: what to_json wrote is read back, and written again it is the same text") {
  const std::string text = to_json(test::sample_snapshot());
  const PoolSnapshot snapshot = parse_snapshot(text, "pool.json");
  CHECK(to_json(snapshot) == text);
  CHECK(to_json(parse_snapshot(to_json(PoolSnapshot{}), "empty")) == to_json(PoolSnapshot{}));
}

TEST_CASE("snapshot file: a document that is cut anywhere is refused, naming the file") {
  const std::string text = to_json(test::sample_snapshot());
  for (std::size_t bytes = 0; bytes + 2 < text.size(); bytes += 7) {
    const std::string problem = refusal(text.substr(0, bytes));
    REQUIRE(contains(problem, "pool.json: wanted a whole JSON document"));
  }
}

TEST_CASE("snapshot file: other documents are refused with what was wanted and found") {
  CHECK(contains(refusal(std::string("[1, 2]")), "wanted an object, found array"));
  CHECK(contains(refusal(std::string("{\"a\": 1}")), "'format' is missing"));
  CHECK(contains(refusal([](json& d) { d["format"] = "chrome-trace"; }),
                 "whose format is 'tenure-pool-snapshot', found the format 'chrome-trace'"));
  const std::string version = refusal([](json& d) { d["version"] = 2; });
  CHECK(contains(version, "it is of version 2 and this program reads version 1"));
  CHECK(contains(version, "use the pool-report of the Tenure that wrote it"));
}

TEST_CASE("snapshot file: what is missing or of the wrong kind is named with its place") {
  for (const char* key : {"version", "domain", "mode", "retained_bytes_max", "trace_events_max", "statistics",
                          "blocks", "dropped_events", "events"}) {
    CHECK(contains(refusal([&](json& d) { d.erase(key); }), "'" + std::string(key) + "' is missing"));
  }
  CHECK(contains(refusal([](json& d) { d["blocks"][1].erase("state"); }), "blocks[1]: 'state' is missing"));
  CHECK(contains(refusal([](json& d) { d["events"][2]["bytes"] = -1; }),
                 "events[2]: bytes: wanted a whole number from 0 up, found -1"));
  CHECK(contains(refusal([](json& d) { d["events"][2]["bytes"] = 1.5; }), "found 1.5"));
  CHECK(contains(refusal([](json& d) { d["events"][2]["thread_index"] = 1ull << 32; }),
                 "no index of a thread"));
  CHECK(contains(refusal([](json& d) { d["domain"] = 3; }), "domain: wanted a text, found 3"));
  CHECK(contains(refusal([](json& d) { d["blocks"] = 3; }), "blocks: wanted an array, found number"));
  CHECK(
      contains(refusal([](json& d) { d["events"][0] = "x"; }), "events[0]: wanted an object, found string"));
}

TEST_CASE("snapshot file: words that are no names are refused with the names there are") {
  CHECK(contains(refusal([](json& d) { d["mode"] = "fast"; }),
                 "'fast' is none of count, poison, guard, bypass, trace"));
  CHECK(contains(refusal([](json& d) { d["blocks"][0]["state"] = "lost"; }), "none of live, idle, detached"));
  CHECK(contains(refusal([](json& d) { d["events"][0]["kind"] = "jump"; }), "'jump' is none of acquire"));
  CHECK(contains(refusal([](json& d) { d["events"][0]["outcome"] = "won"; }), "'won' is none of done"));
  for (const char* address : {"7f00", "0x", "0xzz", "0x10000000000000000", "0x12 "}) {
    CHECK(contains(refusal([&](json& d) { d["blocks"][0]["address"] = address; }), "wanted an address"));
  }
}

TEST_CASE("snapshot file: numbers that do not add up are refused") {
  CHECK(contains(refusal([](json& d) { d["statistics"]["live_bytes"] = 1; }),
                 "the statistics say 1 live bytes, but the blocks add up to 1024"));
  CHECK(contains(refusal([](json& d) { d["statistics"]["live_count"] = 2; }), "2 live blocks"));
  CHECK(contains(refusal([](json& d) { d["statistics"]["idle_bytes"] = 0; }), "0 idle bytes"));
  CHECK(contains(refusal([](json& d) { d["statistics"]["idle_count"] = 0; }), "0 idle blocks"));
  CHECK(contains(refusal([](json& d) { d["statistics"]["reserved_bytes"] = 7; }), "7 reserved bytes"));
  CHECK(contains(refusal([](json& d) { d["blocks"][0]["id"] = 2; }), "two blocks with the id 2"));
}

TEST_CASE("snapshot file: events that are out of order or missing in the middle are refused") {
  CHECK(contains(refusal([](json& d) { std::swap(d["events"][2], d["events"][3]); }),
                 "events[2]: the events are out of order or incomplete: wanted sequence 3, found 4"));
  CHECK(contains(refusal([](json& d) { d["events"].erase(4); }), "wanted sequence 5, found 6"));
  CHECK(contains(refusal([](json& d) { d["events"].erase(0); }), "wanted sequence 1, found 2"));
  CHECK(contains(refusal([](json& d) { d["dropped_events"] = 4; }), "wanted sequence 5, found 1"));
  CHECK(contains(refusal([](json& d) { d["events"][5]["time_ns"] = 1; }), "its time lies before"));
}

TEST_CASE("snapshot file: a file that is not there is named") {
  const auto error = caught<FileError>([] { return pool_report::read_snapshot("no/such/file.json"); });
  CHECK(contains(error.what(), "no/such/file.json: the file cannot be read"));
}
