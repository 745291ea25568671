// SPDX-License-Identifier: Apache-2.0
// use_count: the uses of one memory: any number that read, or one that writes.
#pragma once

#include <atomic>
#include <cstdint>

#include "tenure/memory/storage_map.hpp"

namespace tenure::inline TENURE_BUILD {

class UseCount {
 public:
  // What the count says while a writing use is alive.
  static constexpr std::int32_t writing = -1;

  // Adds a use and answers 0, or changes nothing and answers the count that is in the way. Never waits.
  std::int32_t enter(MapAccess access) noexcept {
    std::int32_t alive = uses_.load(std::memory_order_relaxed);
    for (;;) {
      const bool is_conflict = access == MapAccess::read ? alive == writing : alive != 0;
      if (is_conflict) return alive;
      const std::int32_t entered = access == MapAccess::read ? alive + 1 : writing;
      if (uses_.compare_exchange_weak(alive, entered, std::memory_order_acquire, std::memory_order_relaxed)) {
        return 0;
      }
    }
  }
  void leave(MapAccess access) noexcept {
    uses_.fetch_add(access == MapAccess::read ? -1 : 1, std::memory_order_release);
  }
  // How many read, or `writing`.
  std::int32_t count() const noexcept { return uses_.load(std::memory_order_relaxed); }
  bool is_used() const noexcept { return count() != 0; }

 private:
  std::atomic<std::int32_t> uses_{0};  // that read, or `writing`
};

}  // namespace tenure::inline TENURE_BUILD
