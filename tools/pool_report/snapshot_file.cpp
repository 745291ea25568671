// SPDX-License-Identifier: Apache-2.0
#include "snapshot_file.hpp"

#include <array>
#include <charconv>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <nlohmann/json.hpp>
#include <unordered_set>

namespace tenure::pool_report {
namespace {

// A value of the document that knows where it is.
class Place {
 public:
  Place(const nlohmann::json& value, std::string where) : value_(value), where_(std::move(where)) {}

  [[noreturn]] void refuse(const std::string& problem) const { throw FileError(where_ + ": " + problem); }

  Place at(const char* key) const {
    if (!value_.is_object()) refuse(std::string("wanted an object, found ") + value_.type_name());
    const auto found = value_.find(key);
    if (found == value_.end()) refuse(std::string("'") + key + "' is missing");
    return {*found, where_ + ": " + key};
  }
  template <class Read>
  void for_each(const Read& read) const {
    if (!value_.is_array()) refuse(std::string("wanted an array, found ") + value_.type_name());
    for (std::size_t i = 0; i < value_.size(); ++i) {
      read(Place(value_[i], where_ + '[' + std::to_string(i) + ']'));
    }
  }
  std::uint64_t number() const {
    if (!value_.is_number_unsigned()) refuse("wanted a whole number from 0 up, found " + value_.dump());
    return value_.get<std::uint64_t>();
  }
  std::string word() const {
    if (!value_.is_string()) refuse("wanted a text, found " + value_.dump());
    return value_.get<std::string>();
  }
  // The enumerator with this name, of those up to `last`.
  template <class Enum>
  Enum enumerator(std::string_view (*name_of)(Enum) noexcept, Enum last) const {
    const std::string found = word();
    std::string names;
    for (int i = 0; i <= static_cast<int>(last); ++i) {
      const std::string_view name = name_of(static_cast<Enum>(i));
      if (name == found) return static_cast<Enum>(i);
      names += (names.empty() ? "" : ", ") + std::string(name);
    }
    refuse("'" + found + "' is none of " + names);
  }
  // "0x7f00"
  std::uint64_t address() const {
    const std::string text = word();
    std::uint64_t value = 0;
    if (text.starts_with("0x")) {
      const auto [end, problem] = std::from_chars(text.data() + 2, text.data() + text.size(), value, 16);
      if (problem == std::errc{} && end == text.data() + text.size()) return value;
    }
    refuse("wanted an address such as \"0x7f00\", found \"" + text + '"');
  }

 private:
  const nlohmann::json& value_;
  std::string where_;
};

void require_format(const Place& document) {
  const std::string format = document.at("format").word();
  if (format != pool_snapshot_format) {
    document.refuse("wanted a snapshot of a pool, whose format is '" + std::string(pool_snapshot_format) +
                    "', found the format '" + format + "'");
  }
  const std::uint64_t version = document.at("version").number();
  if (version != pool_snapshot_version) {
    document.refuse("it is of version " + std::to_string(version) + " and this program reads version " +
                    std::to_string(pool_snapshot_version) +
                    "; use the pool-report of the Tenure that wrote it");
  }
}

PoolStatistics statistics_at(const Place& place) {
  PoolStatistics statistics;
  statistics.live_count = place.at("live_count").number();
  statistics.live_bytes = place.at("live_bytes").number();
  statistics.buffers = place.at("idle_count").number();
  statistics.capacity_bytes = place.at("idle_bytes").number();
  statistics.reserved_bytes = place.at("reserved_bytes").number();
  statistics.peak_bytes = place.at("peak_bytes").number();
  statistics.hits = place.at("hits").number();
  statistics.misses = place.at("misses").number();
  statistics.evictions = place.at("evictions").number();
  statistics.detached = place.at("detached").number();
  return statistics;
}

PoolBlock block_at(const Place& place) {
  return {place.at("id").number(), place.at("address").address(), place.at("capacity_bytes").number(),
          place.at("alignment_bytes").number(),
          place.at("state").enumerator(&pool_block_state_name, PoolBlockState::detached)};
}

PoolEvent event_at(const Place& place) {
  const std::uint64_t thread_index = place.at("thread_index").number();
  if (thread_index > UINT32_MAX) place.refuse("its thread_index is no index of a thread");
  return {.sequence = place.at("sequence").number(),
          .time_ns = place.at("time_ns").number(),
          .block = place.at("block").number(),
          .capacity_bytes = place.at("capacity_bytes").number(),
          .bytes = place.at("bytes").number(),
          .alignment_bytes = place.at("alignment_bytes").number(),
          .thread_index = static_cast<std::uint32_t>(thread_index),
          .kind = place.at("kind").enumerator(&pool_event_kind_name, PoolEventKind::free),
          .outcome = place.at("outcome").enumerator(&pool_event_outcome_name, PoolEventOutcome::refused)};
}

void require_sum(const Place& place, const char* what, std::uint64_t said, std::uint64_t sum) {
  if (said != sum) {
    place.refuse("the statistics say " + std::to_string(said) + ' ' + what + ", but the blocks add up to " +
                 std::to_string(sum));
  }
}

void require_sums(const Place& document, const PoolSnapshot& snapshot) {
  std::array<std::uint64_t, 3> counts{}, bytes{};
  std::unordered_set<std::uint64_t> ids;
  for (const PoolBlock& block : snapshot.blocks) {
    if (!ids.insert(block.id).second) {
      document.refuse("there are two blocks with the id " + std::to_string(block.id));
    }
    counts.at(static_cast<std::size_t>(block.state)) += 1;
    bytes.at(static_cast<std::size_t>(block.state)) += block.capacity_bytes;
  }
  const PoolStatistics& said = snapshot.statistics;
  require_sum(document, "live blocks", said.live_count, counts[0]);
  require_sum(document, "live bytes", said.live_bytes, bytes[0]);
  require_sum(document, "idle blocks", said.buffers, counts[1]);
  require_sum(document, "idle bytes", said.capacity_bytes, bytes[1]);
  require_sum(document, "reserved bytes", said.reserved_bytes, bytes[0] + bytes[1]);
}

// In the order in which they happened, without a gap.
void require_order(const Place& place, const PoolEvent& event, const PoolSnapshot& before) {
  const std::uint64_t wanted = before.dropped_events + before.events.size() + 1;
  if (event.sequence != wanted) {
    place.refuse("the events are out of order or incomplete: wanted sequence " + std::to_string(wanted) +
                 ", found " + std::to_string(event.sequence));
  }
  if (!before.events.empty() && event.time_ns < before.events.back().time_ns) {
    place.refuse("the events are out of order: its time lies before that of the event before it");
  }
}

}  // namespace

PoolSnapshot parse_snapshot(std::string_view text, const std::string& name) {
  nlohmann::json json;
  try {
    json = nlohmann::json::parse(text);
  } catch (const nlohmann::json::exception& problem) {
    throw FileError(name + ": wanted a whole JSON document: " + problem.what());
  }
  const Place document(json, name);
  require_format(document);
  PoolSnapshot snapshot;
  snapshot.domain = document.at("domain").word();
  snapshot.mode = document.at("mode").enumerator(&pool_mode_name, PoolMode::trace);
  snapshot.retained_bytes_max = document.at("retained_bytes_max").number();
  snapshot.trace_events_max = document.at("trace_events_max").number();
  snapshot.statistics = statistics_at(document.at("statistics"));
  document.at("blocks").for_each([&](const Place& place) { snapshot.blocks.push_back(block_at(place)); });
  require_sums(document, snapshot);
  snapshot.dropped_events = document.at("dropped_events").number();
  document.at("events").for_each([&](const Place& place) {
    const PoolEvent event = event_at(place);
    require_order(place, event, snapshot);
    snapshot.events.push_back(event);
  });
  return snapshot;
}

PoolSnapshot read_snapshot(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream) throw FileError(file.string() + ": the file cannot be read");
  return parse_snapshot(text, file.string());
}

}  // namespace tenure::pool_report
