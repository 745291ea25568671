// SPDX-License-Identifier: Apache-2.0
// statistics: what a pool holds and has done, at one moment.
#pragma once

#include <cstdint>
#include <string>

#include "tenure/abi/struct_head.hpp"
#include "tenure/provider_pool.h"

#pragma GCC visibility push(hidden)
namespace tenure::sdk::pool {

// The members mean what they mean in tenure_pool_statistics. Exact while no other thread uses the pool;
// otherwise each number was right at some moment of the call, and none is ever negative.
struct Statistics {
  std::uint64_t buffers = 0;
  std::uint64_t capacity_bytes = 0;
  std::uint64_t live_count = 0;
  std::uint64_t live_bytes = 0;
  std::uint64_t reserved_bytes = 0;
  std::uint64_t peak_bytes = 0;
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;
  std::uint64_t evictions = 0;
  std::uint64_t detached = 0;

  Statistics& operator+=(const Statistics& other) noexcept {
    buffers += other.buffers;
    capacity_bytes += other.capacity_bytes;
    live_count += other.live_count;
    live_bytes += other.live_bytes;
    reserved_bytes += other.reserved_bytes;
    peak_bytes += other.peak_bytes;
    hits += other.hits;
    misses += other.misses;
    evictions += other.evictions;
    detached += other.detached;
    return *this;
  }
  friend bool operator==(const Statistics&, const Statistics&) noexcept = default;
};

inline tenure_pool_statistics to_c(const Statistics& statistics) noexcept {
  auto out = abi::make_struct<tenure_pool_statistics>();
  out.buffers = statistics.buffers;
  out.capacity_bytes = statistics.capacity_bytes;
  out.live_count = statistics.live_count;
  out.live_bytes = statistics.live_bytes;
  out.reserved_bytes = statistics.reserved_bytes;
  out.peak_bytes = statistics.peak_bytes;
  out.hits = statistics.hits;
  out.misses = statistics.misses;
  out.evictions = statistics.evictions;
  out.detached = statistics.detached;
  return out;
}

// One line for error messages: "idle 2 blocks of 65536 bytes, live 1 of 32768, peak 98304, ...".
inline std::string to_text(const Statistics& statistics) {
  const auto number = [](std::uint64_t value) { return std::to_string(value); };
  return "idle " + number(statistics.buffers) + " blocks of " + number(statistics.capacity_bytes) +
         " bytes, live " + number(statistics.live_count) + " of " + number(statistics.live_bytes) +
         " bytes, peak " + number(statistics.peak_bytes) + " bytes, " + number(statistics.hits) + " hits, " +
         number(statistics.misses) + " misses, " + number(statistics.evictions) + " evictions, " +
         number(statistics.detached) + " detached";
}

}  // namespace tenure::sdk::pool
#pragma GCC visibility pop
