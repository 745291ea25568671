// SPDX-License-Identifier: Apache-2.0
#include "memory/provider_snapshot.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "tenure/abi/struct_copy.hpp"

namespace tenure::inline TENURE_BUILD {
namespace {

// The enumerators have the numbers of the contract.
static_assert(static_cast<int>(PoolMode::trace) == TENURE_POOL_TRACE);
static_assert(static_cast<int>(PoolBlockState::detached) == TENURE_POOL_BLOCK_DETACHED);
static_assert(static_cast<int>(PoolEventKind::free_detached) == TENURE_POOL_EVENT_FREE_DETACHED);
static_assert(static_cast<int>(PoolEventKind::allocate) == TENURE_POOL_EVENT_ALLOCATE);
static_assert(static_cast<int>(PoolEventKind::free) == TENURE_POOL_EVENT_FREE);
static_assert(static_cast<int>(PoolEventOutcome::refused) == TENURE_POOL_OUTCOME_REFUSED);

std::string no_such(const char* what, std::uint64_t number) {
  return "it has a " + std::string(what) + " of number " + std::to_string(number) + ", which has no name";
}

// An array whose elements may be longer than this side knows.
template <class Element>
class ElementList {
 public:
  ElementList(const Element* first, std::uint64_t count, std::uint32_t step_bytes) noexcept
      : first_(reinterpret_cast<const std::byte*>(first)), count_(count), step_bytes_(step_bytes) {}

  bool is_sound() const noexcept {
    return count_ == 0 || (first_ != nullptr && step_bytes_ >= sizeof(Element));
  }
  std::uint64_t count() const noexcept { return count_; }
  Element at(std::uint64_t index) const noexcept {
    Element element;
    std::memcpy(&element, first_ + index * step_bytes_, sizeof element);
    return element;
  }

 private:
  const std::byte* first_;
  std::uint64_t count_;
  std::uint64_t step_bytes_;
};

std::optional<std::string> read_blocks(const ElementList<tenure_pool_block>& list,
                                       std::vector<PoolBlock>& out) {
  if (!list.is_sound()) return "its blocks are missing or too short";
  out.reserve(list.count());
  for (std::uint64_t i = 0; i < list.count(); ++i) {
    const tenure_pool_block block = list.at(i);
    if (block.state > TENURE_POOL_BLOCK_DETACHED) return no_such("block state", block.state);
    out.push_back({block.id, block.address, block.capacity_bytes, block.alignment_bytes,
                   static_cast<PoolBlockState>(block.state)});
  }
  std::sort(out.begin(), out.end(),
            [](const PoolBlock& a, const PoolBlock& b) { return a.address < b.address; });
  return std::nullopt;
}

std::optional<std::string> read_events(const ElementList<tenure_pool_event>& list,
                                       std::vector<PoolEvent>& out) {
  if (!list.is_sound()) return "its events are missing or too short";
  out.reserve(list.count());
  for (std::uint64_t i = 0; i < list.count(); ++i) {
    const tenure_pool_event event = list.at(i);
    if (event.kind > TENURE_POOL_EVENT_FREE) return no_such("event", event.kind);
    if (event.outcome > TENURE_POOL_OUTCOME_REFUSED) return no_such("outcome", event.outcome);
    out.push_back({event.sequence, event.time_ns, event.block, event.capacity_bytes, event.bytes,
                   event.alignment_bytes, event.thread_index, static_cast<PoolEventKind>(event.kind),
                   static_cast<PoolEventOutcome>(event.outcome)});
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> ProviderSnapshot::read(PoolSnapshot& out) const {
  if (table_ == nullptr) return "there is no snapshot";
  const tenure_pool_snapshot table = abi::read_struct(table_);
  if (table.mode > TENURE_POOL_TRACE) return no_such("mode", table.mode);
  out.mode = static_cast<PoolMode>(table.mode);
  out.retained_bytes_max = table.retained_bytes_max;
  out.trace_events_max = table.trace_events_max;
  out.dropped_events = table.dropped_events;
  if (auto lie = read_blocks({table.blocks, table.block_count, table.block_bytes}, out.blocks)) return lie;
  return read_events({table.events, table.event_count, table.event_bytes}, out.events);
}

}  // namespace tenure::inline TENURE_BUILD
