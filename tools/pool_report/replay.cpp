// SPDX-License-Identifier: Apache-2.0
#include "replay.hpp"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>

#include "tenure/base/out_of_memory.hpp"
#include "tenure/base/validation_error.hpp"
#include "turn_thread.hpp"

namespace tenure::pool_report {
namespace {

void require_whole(const PoolSnapshot& recorded) {
  if (recorded.mode != PoolMode::trace) {
    throw ReplayError("there is nothing to replay: the pool was of mode " +
                      std::string(pool_mode_name(recorded.mode)) +
                      "; make it with PoolMode::trace to have its events recorded");
  }
  if (recorded.dropped_events != 0) {
    throw ReplayError("the first " + std::to_string(recorded.dropped_events) +
                      " events are missing; record with PoolOptions::trace_events_max of " +
                      std::to_string(recorded.dropped_events + recorded.events.size()) + " or more");
  }
}

bool runs_on_its_thread(const PoolEvent& event) {
  return event.kind == PoolEventKind::acquire || event.kind == PoolEventKind::release;
}

// The recorded threads, each played by one of its own.
class Players {
 public:
  // Blocks move between the threads in the order of their indices, so the players get theirs in that order.
  Players(const PoolSnapshot& recorded, const AllocationDomain& domain) : domain_(domain) {
    std::set<std::uint32_t> indices;
    for (const PoolEvent& event : recorded.events) {
      if (runs_on_its_thread(event)) indices.insert(event.thread_index);
    }
    for (const std::uint32_t index : indices) player(index);
  }

  TurnThread& player(std::uint32_t index) {
    std::unique_ptr<TurnThread>& thread = threads_[index];
    if (thread == nullptr) {
      thread = std::make_unique<TurnThread>();
      // Making a pool is the first thing for which a thread needs an index.
      thread->run([this] { const Pool first(domain_, {.mode = PoolMode::bypass}); });
    }
    return *thread;
  }
  void end(std::uint32_t index) { threads_.erase(index); }

 private:
  AllocationDomain domain_;
  std::map<std::uint32_t, std::unique_ptr<TurnThread>> threads_;
};

class Replay {
 public:
  Replay(const PoolSnapshot& recorded, const AllocationDomain& domain, const PoolOptions& options)
      : players_(recorded, domain), pool_(domain, options) {}

  void play(const PoolEvent& event) {
    switch (event.kind) {
      case PoolEventKind::acquire:
        if (event.outcome == PoolEventOutcome::refused) {
          ++result_.refused_recorded;
          return;
        }
        return players_.player(event.thread_index).run([&] { acquire(event); });
      case PoolEventKind::release:
        return players_.player(event.thread_index).run([&] { release(event); });
      case PoolEventKind::detach:
        return detach(event);
      case PoolEventKind::free_detached:
        take(event);
        return;
      case PoolEventKind::trim:
        pool_.trim(event.bytes);
        return;
      case PoolEventKind::thread_exit:
        return players_.end(event.thread_index);
      // Given back by its release, which follows; the others are what the recorded pool made of it.
      case PoolEventKind::give_back:
      case PoolEventKind::allocate:
      case PoolEventKind::evict:
      case PoolEventKind::free:
        return;
    }
  }

  ReplayResult result() {
    result_.statistics = pool_.statistics();
    return result_;
  }

 private:
  using Extracted = BufferVector<std::byte>;
  // Nothing: its acquire was refused here.
  using Held = std::variant<std::monostate, Storage, Extracted>;

  [[noreturn]] static void contradict(const PoolEvent& event, const char* problem) {
    throw ReplayError("event " + std::to_string(event.sequence) + " (" +
                      std::string(pool_event_kind_name(event.kind)) + ") is about block " +
                      std::to_string(event.block) + ", which " + problem);
  }

  Held& find(const PoolEvent& event) {
    const auto found = held_.find(event.block);
    if (found == held_.end()) contradict(event, "is not out");
    return found->second;
  }
  Held take(const PoolEvent& event) {
    Held held = std::move(find(event));
    held_.erase(event.block);
    return held;
  }

  void acquire(const PoolEvent& event) {
    const auto [place, is_new] = held_.try_emplace(event.block);
    if (!is_new) contradict(event, "is out already");
    try {
      place->second = pool_.acquire(event.bytes, event.alignment_bytes);
    } catch (const OutOfMemory&) {
      ++result_.refused_replayed;
    } catch (const ValidationError&) {
      // More than the domain makes at once.
      ++result_.refused_replayed;
    }
  }

  void release(const PoolEvent& event) {
    Held held = take(event);
    if (Extracted* extracted = std::get_if<Extracted>(&held)) pool_.give_back(std::move(*extracted));
  }

  void detach(const PoolEvent& event) {
    Held& held = find(event);
    Storage* storage = std::get_if<Storage>(&held);
    if (storage == nullptr) return;
    if (storage->address() == nullptr) {
      contradict(event, "this domain does not let go of; replay the trace in memory of the host");
    }
    held = adopt_buffer<std::byte>(std::make_shared<BufferAdoption>(), std::move(*storage));
  }

  Players players_;
  Pool pool_;
  std::unordered_map<std::uint64_t, Held> held_;
  ReplayResult result_;
};

}  // namespace

ReplayResult replay(const PoolSnapshot& recorded, const AllocationDomain& domain,
                    const PoolOptions& options) {
  require_whole(recorded);
  Replay replay(recorded, domain, options);
  for (const PoolEvent& event : recorded.events) replay.play(event);
  return replay.result();
}

}  // namespace tenure::pool_report
