// SPDX-License-Identifier: Apache-2.0
#include "tenure/memory/pool_snapshot.hpp"

#include <array>
#include <charconv>
#include <initializer_list>
#include <map>
#include <span>

namespace tenure::inline TENURE_BUILD {
namespace {

constexpr std::array<std::string_view, 5> mode_names{"count", "poison", "guard", "bypass", "trace"};
constexpr std::array<std::string_view, 3> state_names{"live", "idle", "detached"};
constexpr std::array<std::string_view, 10> kind_names{"acquire",       "release", "detach",      "give_back",
                                                      "free_detached", "trim",    "thread_exit", "allocate",
                                                      "evict",         "free"};
constexpr std::array<std::string_view, 4> outcome_names{"done", "hit", "miss", "refused"};

template <class Enum>
std::string_view name_in(std::span<const std::string_view> names, Enum value) noexcept {
  const auto index = static_cast<std::size_t>(value);
  return index < names.size() ? names[index] : "unknown";
}

// Appends to one text; a comma comes before every member and element but the first.
class JsonText {
 public:
  void open(char bracket, std::string_view key = {}) {
    start(key);
    text_ += bracket;
    is_first_ = true;
  }
  void close(char bracket) {
    text_ += bracket;
    is_first_ = false;
  }
  // What comes next is on a line of its own.
  void break_line() {
    separate();
    text_ += '\n';
    is_first_ = true;
  }
  void number(std::string_view key, std::uint64_t value) {
    start(key);
    std::array<char, 20> digits;
    text_.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
  }
  void word(std::string_view key, std::string_view value) {
    start(key);
    quote(value);
  }
  void address(std::string_view key, std::uint64_t value) {
    start(key);
    std::array<char, 16> digits;
    text_ += "\"0x";
    text_.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value, 16).ptr);
    text_ += '"';
  }
  std::string take() && { return std::move(text_); }

 private:
  void separate() {
    if (!is_first_) text_ += ',';
    is_first_ = false;
  }
  void start(std::string_view key) {
    separate();
    if (key.empty()) return;
    quote(key);
    text_ += ':';
  }
  // The texts are names of the contract, which are printable.
  void quote(std::string_view value) {
    text_ += '"';
    for (const char c : value) {
      if (c == '"' || c == '\\') text_ += '\\';
      text_ += c;
    }
    text_ += '"';
  }

  std::string text_;
  bool is_first_ = true;
};

void write(JsonText& out, const PoolStatistics& statistics) {
  out.open('{', "statistics");
  out.number("live_count", statistics.live_count);
  out.number("live_bytes", statistics.live_bytes);
  out.number("idle_count", statistics.buffers);
  out.number("idle_bytes", statistics.capacity_bytes);
  out.number("reserved_bytes", statistics.reserved_bytes);
  out.number("peak_bytes", statistics.peak_bytes);
  out.number("hits", statistics.hits);
  out.number("misses", statistics.misses);
  out.number("evictions", statistics.evictions);
  out.number("detached", statistics.detached);
  out.close('}');
}

void write(JsonText& out, const PoolBlock& block) {
  out.break_line();
  out.open('{');
  out.number("id", block.id);
  out.address("address", block.address);
  out.number("capacity_bytes", block.capacity_bytes);
  out.number("alignment_bytes", block.alignment_bytes);
  out.word("state", pool_block_state_name(block.state));
  out.close('}');
}

void write(JsonText& out, const PoolEvent& event) {
  out.break_line();
  out.open('{');
  out.number("sequence", event.sequence);
  out.number("time_ns", event.time_ns);
  out.word("kind", pool_event_kind_name(event.kind));
  out.word("outcome", pool_event_outcome_name(event.outcome));
  out.number("block", event.block);
  out.number("capacity_bytes", event.capacity_bytes);
  out.number("bytes", event.bytes);
  out.number("alignment_bytes", event.alignment_bytes);
  out.number("thread_index", event.thread_index);
  out.close('}');
}

// How many blocks of each capacity there are, the smallest first.
void write_sizes(JsonText& out, const std::vector<PoolBlock>& blocks) {
  std::map<std::uint64_t, std::array<std::uint64_t, 3>> counts;
  for (const PoolBlock& block : blocks) {
    ++counts[block.capacity_bytes].at(static_cast<std::size_t>(block.state));
  }
  out.open('[', "sizes");
  for (const auto& [capacity_bytes, by_state] : counts) {
    out.break_line();
    out.open('{');
    out.number("capacity_bytes", capacity_bytes);
    out.number("live_count", by_state[0]);
    out.number("idle_count", by_state[1]);
    out.number("detached_count", by_state[2]);
    out.close('}');
  }
  out.close(']');
}

}  // namespace

std::string_view pool_mode_name(PoolMode mode) noexcept { return name_in(mode_names, mode); }
std::string_view pool_block_state_name(PoolBlockState state) noexcept { return name_in(state_names, state); }
std::string_view pool_event_kind_name(PoolEventKind kind) noexcept { return name_in(kind_names, kind); }
std::string_view pool_event_outcome_name(PoolEventOutcome outcome) noexcept {
  return name_in(outcome_names, outcome);
}

std::string to_json(const PoolSnapshot& snapshot) {
  JsonText out;
  out.open('{');
  out.word("format", pool_snapshot_format);
  out.number("version", pool_snapshot_version);
  out.break_line();
  out.word("domain", snapshot.domain);
  out.word("mode", pool_mode_name(snapshot.mode));
  out.number("retained_bytes_max", snapshot.retained_bytes_max);
  out.number("trace_events_max", snapshot.trace_events_max);
  out.break_line();
  write(out, snapshot.statistics);
  out.break_line();
  write_sizes(out, snapshot.blocks);
  out.break_line();
  out.open('[', "blocks");
  for (const PoolBlock& block : snapshot.blocks) write(out, block);
  out.close(']');
  out.break_line();
  out.number("dropped_events", snapshot.dropped_events);
  out.open('[', "events");
  for (const PoolEvent& event : snapshot.events) write(out, event);
  out.close(']');
  out.close('}');
  return std::move(out).take() + '\n';
}

}  // namespace tenure::inline TENURE_BUILD
