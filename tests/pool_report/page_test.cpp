// SPDX-License-Identifier: Apache-2.0
#include "page.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support/caught.hpp"
#include "support/sample_snapshot.hpp"

using namespace tenure;
using pool_report::page;
using tenure_test::contains;

namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

// Every element that is opened is closed, in the right order.
bool is_nested(const std::string& html) {
  std::vector<std::string> open;
  for (std::size_t at = html.find('<'); at != html.npos; at = html.find('<', at + 1)) {
    const std::size_t end = html.find('>', at);
    const bool closes = html[at + 1] == '/';
    const std::size_t first = at + (closes ? 2 : 1);
    const std::string name = html.substr(first, html.find_first_of(" >/", first) - first);
    if (name[0] == '!' || name == "meta" || html[end - 1] == '/') continue;
    if (!closes) {
      open.push_back(name);
    } else if (open.empty() || open.back() != name) {
      return false;
    } else {
      open.pop_back();
    }
  }
  return open.empty();
}

// A pool with many blocks and events, as a loop over growing sizes would make them.
PoolSnapshot large(std::size_t count) {
  PoolSnapshot snapshot{.domain = "cpu:0/pageable", .mode = PoolMode::trace};
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t bytes = std::uint64_t{64} << (i % 20);
    const bool is_live = i % 3 == 0;
    snapshot.blocks.push_back(
        {i + 1, 0x1000 + i * 0x8000000, bytes, 64, is_live ? PoolBlockState::live : PoolBlockState::idle});
    ++(is_live ? snapshot.statistics.live_count : snapshot.statistics.buffers);
    (is_live ? snapshot.statistics.live_bytes : snapshot.statistics.capacity_bytes) += bytes;
    snapshot.events.push_back({.sequence = i + 1,
                               .time_ns = i,
                               .block = i + 1,
                               .capacity_bytes = bytes,
                               .kind = i % 2 == 0 ? PoolEventKind::allocate : PoolEventKind::acquire});
  }
  return snapshot;
}

}  // namespace

TEST_CASE("page: it shows the numbers, a timeline, a rectangle for each block and a row for each size") {
  const std::string html = page(test::sample_snapshot());
  CHECK(is_nested(html));
  CHECK(contains(html, "<title>Pool of cpu:0/pageable</title>"));
  CHECK(contains(html, "<b>25.0 %</b><span>hit rate"));
  CHECK(count(html, "<svg") == 2);
  CHECK(count(html, "<rect class=\"l\"") == 1);
  CHECK(count(html, "<rect class=\"i\"") == 1);
  CHECK(count(html, "<rect class=\"d\"") == 1);
  CHECK(contains(html, "<title>block 1, live\n1 KiB (1,024 bytes)\n0x1000 to 0x1400</title>"));
  CHECK(contains(html, "<title>after event 8\nreserved 3.06 KiB\nlive 3.06 KiB\nidle 0 B</title>"));
  CHECK(count(html, "<tr>") == 4);
}

TEST_CASE("page: it needs nothing from elsewhere and runs nothing") {
  const std::string html = page(test::sample_snapshot());
  for (const char* part : {"http", "<script", "<link", "src=", "url(", "@import"}) {
    CAPTURE(part);
    CHECK_FALSE(contains(html, part));
  }
  CHECK(contains(html, "prefers-color-scheme: dark"));
}

TEST_CASE("page: an empty pool, and one without a trace, say so in words") {
  const std::string empty = page(PoolSnapshot{.domain = "cpu:0/pageable", .mode = PoolMode::trace});
  CHECK(is_nested(empty));
  CHECK(contains(empty, "This pool holds no block."));
  CHECK(contains(empty, "Nothing has happened in this pool yet."));
  CHECK(contains(empty, "none yet"));
  PoolSnapshot untraced = test::sample_snapshot();
  untraced.mode = PoolMode::count;
  untraced.events.clear();
  CHECK(contains(page(untraced), "Make it with <code>PoolMode::trace</code>"));
}

TEST_CASE("page: a trace without its beginning says how much is missing and goes on counting") {
  PoolSnapshot snapshot = test::sample_snapshot();
  snapshot.dropped_events = 1000;
  const std::string html = page(snapshot);
  CHECK(contains(html, "the first 1,000 events were not kept"));
  CHECK(contains(html, "after event 1,010\n"));
}

TEST_CASE("page: the name of a domain does not become markup") {
  PoolSnapshot snapshot = test::sample_snapshot();
  snapshot.domain = "<b>\"&";
  CHECK(is_nested(page(snapshot)));
  CHECK(contains(page(snapshot), "Pool of &lt;b&gt;&quot;&amp;"));
}

TEST_CASE("page: numbers that no pool has make a page all the same") {
  PoolSnapshot snapshot = test::sample_snapshot();
  for (PoolEvent& event : snapshot.events) event.capacity_bytes = UINT64_MAX / 2 - event.sequence;
  for (PoolBlock& block : snapshot.blocks) block.address = block.capacity_bytes = UINT64_MAX;
  snapshot.statistics.live_bytes = snapshot.statistics.capacity_bytes = UINT64_MAX / 2;
  const std::string html = page(snapshot);
  CHECK(is_nested(html));
  CHECK_FALSE(contains(html, "nan"));
  CHECK_FALSE(contains(html, "inf"));
}

TEST_CASE("page: it stays of a size that a browser shows, however many events and blocks there are") {
  const std::string some = page(large(1000));
  CHECK(is_nested(some));
  CHECK(count(some, "<rect class=\"l\"") + count(some, "<rect class=\"i\"") == 1000);
  const std::string many = page(large(60'000));
  CHECK(is_nested(many));
  CHECK(count(many, "<rect class=\"hover\"") <= 500);
  CHECK(count(many, "<rect class=\"l\"") + count(many, "<rect class=\"i\"") <= 40'001);
  CHECK(many.size() < 8'000'000);
}
