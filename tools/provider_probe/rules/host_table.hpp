// SPDX-License-Identifier: Apache-2.0
// host_table: the host that a provider sees in a trial.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "tenure/provider_abi.h"

namespace tenure::probe {

// What the provider may call, with counts of what it did. Callable from any thread.
class HostTable {
 public:
  HostTable() noexcept;
  HostTable(const HostTable&) = delete;
  HostTable& operator=(const HostTable&) = delete;

  const tenure_host* table() const noexcept { return &table_.known; }
  // Turns the host into a newer one: a later minor version, and a table that is longer than this probe
  // knows, the rest of it filled with 0xA5.
  void become_newer() noexcept;

  // Allocations that the provider took from the host and has not freed.
  std::int64_t live_allocations() const noexcept { return live_allocations_; }

 private:
  struct LongTable {
    tenure_host known;
    std::byte unknown[64];
  };

  LongTable table_{};
  std::atomic<std::int64_t> live_allocations_ = 0;
};

}  // namespace tenure::probe
