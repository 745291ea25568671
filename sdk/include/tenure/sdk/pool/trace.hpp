// SPDX-License-Identifier: Apache-2.0
// trace: the last events of a pool.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "tenure/provider_pool.h"

#pragma GCC visibility push(hidden)
namespace tenure::sdk::pool {

inline constexpr std::uint64_t trace_events_default = std::uint64_t{1} << 16;

// A ring: the newest event takes the place of the oldest. Safe from any thread.
class Trace {
 public:
  struct Content {
    std::vector<tenure_pool_event> events;  // oldest first
    std::uint64_t dropped = 0;              // that came before them
  };

  // Takes its memory at once; throws std::bad_alloc.
  explicit Trace(std::uint64_t events_max)
      : events_max_(std::max<std::uint64_t>(events_max, 1)), ring_(new tenure_pool_event[events_max_]) {}

  std::uint64_t events_max() const noexcept { return events_max_; }

  // Fills in sequence and time.
  void add(tenure_pool_event event) noexcept {
    const std::lock_guard lock(mutex_);
    event.sequence = ++count_;
    event.time_ns = static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start_).count());
    ring_[place_of(count_)] = event;
  }

  Content content() const {
    Content out;
    const std::lock_guard lock(mutex_);
    const std::uint64_t kept = std::min(count_, events_max_);
    out.dropped = count_ - kept;
    out.events.reserve(kept);
    for (std::uint64_t i = 1; i <= kept; ++i) out.events.push_back(ring_[place_of(out.dropped + i)]);
    return out;
  }

 private:
  using Clock = std::chrono::steady_clock;

  std::uint64_t place_of(std::uint64_t sequence) const noexcept { return (sequence - 1) % events_max_; }

  const std::uint64_t events_max_;
  const Clock::time_point start_ = Clock::now();
  mutable std::mutex mutex_;
  std::uint64_t count_ = 0;
  const std::unique_ptr<tenure_pool_event[]> ring_;
};

}  // namespace tenure::sdk::pool
#pragma GCC visibility pop
