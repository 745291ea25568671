// SPDX-License-Identifier: Apache-2.0
#include "tenure/memory/pool_snapshot.hpp"

#include <array>
#include <charconv>
#include <map>
#include <nlohmann/json.hpp>
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

using Json = nlohmann::ordered_json;

Json document_of(const PoolStatistics& statistics) {
  return {{"live_count", statistics.live_count},
          {"live_bytes", statistics.live_bytes},
          {"idle_count", statistics.buffers},
          {"idle_bytes", statistics.capacity_bytes},
          {"reserved_bytes", statistics.reserved_bytes},
          {"peak_bytes", statistics.peak_bytes},
          {"hits", statistics.hits},
          {"misses", statistics.misses},
          {"evictions", statistics.evictions},
          {"detached", statistics.detached}};
}

// A text, since many readers of JSON have no exact number for an address.
std::string address_text(std::uint64_t address) {
  std::array<char, 16> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), address, 16).ptr;
  return "0x" + std::string(digits.data(), end);
}

Json document_of(const PoolBlock& block) {
  return {{"id", block.id},
          {"address", address_text(block.address)},
          {"capacity_bytes", block.capacity_bytes},
          {"alignment_bytes", block.alignment_bytes},
          {"state", pool_block_state_name(block.state)}};
}

Json document_of(const PoolEvent& event) {
  return {{"sequence", event.sequence},
          {"time_ns", event.time_ns},
          {"kind", pool_event_kind_name(event.kind)},
          {"outcome", pool_event_outcome_name(event.outcome)},
          {"block", event.block},
          {"capacity_bytes", event.capacity_bytes},
          {"bytes", event.bytes},
          {"alignment_bytes", event.alignment_bytes},
          {"thread_index", event.thread_index}};
}

template <class T>
Json documents_of(const std::vector<T>& values) {
  Json list = Json::array();
  for (const T& value : values) list.push_back(document_of(value));
  return list;
}

// How many blocks of each capacity there are, the smallest first.
Json sizes_of(const std::vector<PoolBlock>& blocks) {
  std::map<std::uint64_t, std::array<std::uint64_t, 3>> counts;
  for (const PoolBlock& block : blocks) {
    ++counts[block.capacity_bytes].at(static_cast<std::size_t>(block.state));
  }
  Json list = Json::array();
  for (const auto& [capacity_bytes, by_state] : counts) {
    list.push_back({{"capacity_bytes", capacity_bytes},
                    {"live_count", by_state[0]},
                    {"idle_count", by_state[1]},
                    {"detached_count", by_state[2]}});
  }
  return list;
}

}  // namespace

std::string_view pool_mode_name(PoolMode mode) noexcept { return name_in(mode_names, mode); }
std::string_view pool_block_state_name(PoolBlockState state) noexcept { return name_in(state_names, state); }
std::string_view pool_event_kind_name(PoolEventKind kind) noexcept { return name_in(kind_names, kind); }
std::string_view pool_event_outcome_name(PoolEventOutcome outcome) noexcept {
  return name_in(outcome_names, outcome);
}

std::string to_json(const PoolSnapshot& snapshot) {
  const Json document = {{"format", pool_snapshot_format},
                         {"version", pool_snapshot_version},
                         {"domain", snapshot.domain},
                         {"mode", pool_mode_name(snapshot.mode)},
                         {"retained_bytes_max", snapshot.retained_bytes_max},
                         {"trace_events_max", snapshot.trace_events_max},
                         {"statistics", document_of(snapshot.statistics)},
                         {"sizes", sizes_of(snapshot.blocks)},
                         {"blocks", documents_of(snapshot.blocks)},
                         {"dropped_events", snapshot.dropped_events},
                         {"events", documents_of(snapshot.events)}};
  // A domain's name that is no UTF-8 must not cost the rest.
  return document.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace tenure::inline TENURE_BUILD
