// SPDX-License-Identifier: Apache-2.0
// retention_budget: how many bytes a pool may keep idle, and how many of them are promised.
#pragma once

#include <atomic>
#include <cstdint>

#pragma GCC visibility push(hidden)
namespace tenure::sdk::pool {

// The hard cap. Bytes are taken before a block is kept and given back after it has gone, so the idle
// bytes are never above the limit, not even between two steps of another thread.
class RetentionBudget {
 public:
  explicit RetentionBudget(std::uint64_t limit_bytes) noexcept : limit_bytes_(limit_bytes) {}

  std::uint64_t limit_bytes() const noexcept { return limit_bytes_; }

  [[nodiscard]] bool try_take(std::uint64_t bytes) noexcept {
    std::uint64_t taken = taken_bytes_.load(std::memory_order_relaxed);
    do {
      if (bytes > limit_bytes_ - taken) return false;
    } while (!taken_bytes_.compare_exchange_weak(taken, taken + bytes, std::memory_order_relaxed));
    return true;
  }

  void give(std::uint64_t bytes) noexcept { taken_bytes_.fetch_sub(bytes, std::memory_order_relaxed); }

 private:
  const std::uint64_t limit_bytes_;
  std::atomic<std::uint64_t> taken_bytes_{0};
};

}  // namespace tenure::sdk::pool
#pragma GCC visibility pop
