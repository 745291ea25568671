// SPDX-License-Identifier: Apache-2.0
#include "page.hpp"

#include <array>
#include <map>

#include "address_map.hpp"
#include "byte_text.hpp"
#include "timeline_chart.hpp"

namespace tenure::pool_report {
namespace {

constexpr std::string_view style = R"(<style>
:root { color-scheme: light dark;
  --page: #fcfcfb; --ink: #1a1a19; --soft: #5e5d59; --rule: #e3e1da;
  --live: #2a78d6; --idle: #d9822b; --detached: #7a52c7; --evict: #c9302c; --reserved: #44433f; }
@media (prefers-color-scheme: dark) { :root {
  --page: #191918; --ink: #f2f1ec; --soft: #a9a79f; --rule: #373632;
  --live: #4a95ee; --idle: #e59a4c; --detached: #a68bec; --evict: #ef6a62; --reserved: #d5d3cb; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 24px 20px 48px; max-width: 1040px; background: var(--page); color: var(--ink);
  font: 15px/1.45 system-ui, sans-serif; }
h1 { font-size: 22px; margin: 0 0 2px; } h2 { font-size: 16px; margin: 32px 0 6px; }
p { margin: 0 0 10px; color: var(--soft); }
.numbers { display: grid; grid-template-columns: repeat(auto-fit, minmax(220px, 1fr)); gap: 10px; margin: 18px 0 0; }
.numbers div { border: 1px solid var(--rule); border-radius: 6px; padding: 8px 12px; }
.numbers b { display: block; font-size: 19px; font-weight: 600; } .numbers span { color: var(--soft); font-size: 13px; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 18px; font-size: 13px; color: var(--soft); margin-bottom: 8px; }
.legend i { display: inline-block; width: 12px; height: 12px; border-radius: 2px; margin-right: 6px; vertical-align: -1px; }
svg { display: block; width: 100%; height: auto; }
svg .axis { fill: var(--soft); font: 12px system-ui, sans-serif; } svg .grid { stroke: var(--rule); }
svg .line { fill: none; stroke-width: 1.6; } svg .area { stroke: none; opacity: .16; }
svg .tick { fill: none; stroke-width: 1.6; } svg .hover { fill: transparent; } svg .hover:hover { fill: var(--ink); opacity: .08; }
svg .line.live { stroke: var(--live); } svg .area.live, svg .l { fill: var(--live); }
svg .line.idle { stroke: var(--idle); } svg .i { fill: var(--idle); } svg .d { fill: var(--detached); }
svg .line.reserved { stroke: var(--reserved); } svg .miss { stroke: var(--live); } svg .evict { stroke: var(--evict); }
svg .l:hover, svg .i:hover, svg .d:hover { stroke: var(--ink); stroke-width: 2; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: 3px 0 3px 28px; border-bottom: 1px solid var(--rule); } th { color: var(--soft); font-weight: 500; }
th:first-child, td:first-child { padding-left: 0; }
</style>
)";

void add_number(std::string& out, const std::string& value, const std::string& exact, const char* name) {
  out += "<div title=\"" + exact + "\"><b>" + value + "</b><span>" + name + "</span></div>\n";
}
void add_bytes(std::string& out, std::uint64_t bytes, const char* name) {
  add_number(out, byte_text(bytes), count_text(bytes) + " bytes", name);
}
void add_count(std::string& out, std::uint64_t count, const char* name) {
  add_number(out, count_text(count), count_text(count), name);
}

std::string hit_rate_text(const PoolStatistics& statistics) {
  const std::uint64_t asked = statistics.hits + statistics.misses;
  if (asked == 0) return "none yet";
  return coordinate_text(100.0 * static_cast<double>(statistics.hits) / static_cast<double>(asked)) + " %";
}

std::string numbers(const PoolSnapshot& snapshot) {
  const PoolStatistics& statistics = snapshot.statistics;
  std::string out = "<div class=\"numbers\">\n";
  add_bytes(out, statistics.reserved_bytes, "reserved");
  add_bytes(out, statistics.live_bytes, "live");
  add_bytes(out, statistics.capacity_bytes, "idle");
  add_bytes(out, statistics.peak_bytes, "peak reserved");
  add_number(out, hit_rate_text(statistics), count_text(statistics.hits) + " hits", "hit rate");
  add_count(out, statistics.misses, "misses");
  add_count(out, statistics.evictions, "evictions");
  add_count(out, statistics.detached, "detached");
  return out + "</div>\n";
}

void add_key(std::string& out, const char* variable, const char* name) {
  out += "<span><i style=\"background: var(--" + std::string(variable) + ")\"></i>" + name + "</span>\n";
}

std::string timeline_section(const PoolSnapshot& snapshot) {
  std::string out = "<h2>Timeline</h2>\n";
  if (snapshot.mode != PoolMode::trace) {
    return out +
           "<p>This pool kept no events. Make it with <code>PoolMode::trace</code> to see them here.</p>\n";
  }
  if (snapshot.events.empty()) return out + "<p>Nothing has happened in this pool yet.</p>\n";
  out += "<p>Bytes after each event, by the number of the event";
  if (snapshot.dropped_events != 0) {
    out += "; the first " + count_text(snapshot.dropped_events) + " events were not kept";
  }
  out += ".</p>\n<div class=\"legend\">\n";
  add_key(out, "reserved", "reserved");
  add_key(out, "live", "live, and below: misses");
  add_key(out, "idle", "idle (retained)");
  add_key(out, "evict", "evictions");
  return out + "</div>\n" + timeline_chart(snapshot);
}

std::string map_section(const PoolSnapshot& snapshot) {
  std::string out = "<h2>Address map</h2>\n";
  if (snapshot.blocks.empty()) return out + "<p>This pool holds no block.</p>\n";
  out += "<p>" + count_text(snapshot.blocks.size()) +
         " blocks in the order of their addresses. Each doubling of the size makes a block wider by the same "
         "amount; a space is memory that is not this pool's.</p>\n<div class=\"legend\">\n";
  add_key(out, "live", "live");
  add_key(out, "idle", "idle (retained)");
  add_key(out, "detached", "detached");
  return out + "</div>\n" + address_map(snapshot);
}

std::string size_section(const PoolSnapshot& snapshot) {
  if (snapshot.blocks.empty()) return {};
  std::map<std::uint64_t, std::array<std::uint64_t, 3>> sizes;
  for (const PoolBlock& block : snapshot.blocks) {
    ++sizes[block.capacity_bytes].at(static_cast<std::size_t>(block.state));
  }
  std::string out =
      "<h2>Sizes</h2>\n<div class=\"scroll\"><table>\n<tr><th>capacity</th><th>live</th><th>idle</th>"
      "<th>detached</th><th>live bytes</th><th>idle bytes</th></tr>\n";
  for (const auto& [capacity_bytes, counts] : sizes) {
    out +=
        "<tr><td title=\"" + count_text(capacity_bytes) + " bytes\">" + byte_text(capacity_bytes) + "</td>";
    for (const std::uint64_t count : counts) out += "<td>" + count_text(count) + "</td>";
    out += "<td>" + byte_text(counts[0] * capacity_bytes) + "</td><td>" +
           byte_text(counts[1] * capacity_bytes) + "</td></tr>\n";
  }
  return out + "</table></div>\n";
}

}  // namespace

std::string page(const PoolSnapshot& snapshot) {
  const std::string domain = html_text(snapshot.domain);
  return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Pool of " +
         domain + "</title>\n" + std::string(style) + "</head>\n<body>\n<h1>Pool of " + domain +
         "</h1>\n<p>Mode " + std::string(pool_mode_name(snapshot.mode)) + ", at most " +
         byte_text(snapshot.retained_bytes_max) + " idle.</p>\n" + numbers(snapshot) +
         timeline_section(snapshot) + map_section(snapshot) + size_section(snapshot) + "</body>\n</html>\n";
}

}  // namespace tenure::pool_report
