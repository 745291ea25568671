// SPDX-License-Identifier: Apache-2.0
// fault_list: the faults that a test has ordered from an instance.
//
// A provider class with a member `FaultList& faults() noexcept` offers "tenure.ext.fault/1", and the glue
// makes its functions misbehave as ordered; the class itself does nothing.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "tenure/provider_fault.h"
#include "tenure/sdk/error.hpp"

#pragma GCC visibility push(hidden)
namespace tenure::sdk {

// The scripts of one instance. Safe from any thread; while nothing is ordered a call costs one load.
class FaultList {
 public:
  // INVALID_ARGUMENT for a function or an effect that is none.
  void add(const tenure_fault_script& script) {
    if (script.function < TENURE_FAULT_STORAGE_CREATE || script.function > TENURE_FAULT_STORAGE_IMPORT ||
        script.effect < TENURE_FAULT_FAIL || script.effect > TENURE_FAULT_NULL_ADDRESS) {
      throw Error(TENURE_INVALID_ARGUMENT, "a fault script names no function or no effect of the contract");
    }
    const std::lock_guard lock(mutex_);
    scripts_.push_back(script);
    is_armed_.store(true, std::memory_order_relaxed);
  }

  void clear() noexcept {
    const std::lock_guard lock(mutex_);
    scripts_.clear();
    is_armed_.store(false, std::memory_order_relaxed);
  }

  // Counts a call of a function (TENURE_FAULT_*). Throws what was ordered, or returns another effect that
  // the call must have, or 0.
  std::uint32_t obey(std::uint32_t function) {
    if (!is_armed_.load(std::memory_order_relaxed)) return 0;
    const std::lock_guard lock(mutex_);
    for (tenure_fault_script& script : scripts_) {
      if (script.function != function) continue;
      if (script.skip_calls != 0) {
        --script.skip_calls;
      } else if (script.fail_calls != 0) {
        if (script.fail_calls != UINT64_MAX) --script.fail_calls;
        if (script.effect == TENURE_FAULT_FAIL) throw Error(script.code, "a fault that the test ordered");
        return script.effect;
      }
    }
    return 0;
  }

 private:
  std::mutex mutex_;
  std::vector<tenure_fault_script> scripts_;
  std::atomic<bool> is_armed_{false};  // keeps the lock away from calls while nothing is ordered
};

}  // namespace tenure::sdk
#pragma GCC visibility pop
