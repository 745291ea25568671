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
#include "tenure/sdk/boundary.hpp"
#include "tenure/sdk/error.hpp"
#include "tenure/sdk/instance.hpp"

#pragma GCC visibility push(hidden)
namespace tenure::sdk {

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

template <class T>
concept HasFaults = requires(T& owner) {
  { owner.faults() } -> std::same_as<FaultList&>;
};

// What a call of `function` must do wrong: an effect, or 0. Nothing at all for an owner without faults.
template <class T>
std::uint32_t obey_fault(T& owner, std::uint32_t function) {
  if constexpr (HasFaults<T>) {
    return owner.faults().obey(function);
  } else {
    return 0;
  }
}

inline void* off_by_one(void* address) noexcept {
  return address == nullptr ? nullptr : static_cast<char*>(address) + 1;
}

inline void distort(tenure_mapping& mapping, std::uint32_t effect) noexcept {
  if (effect == TENURE_FAULT_SHORT_MAPPING && mapping.bytes != 0) --mapping.bytes;
  if (effect == TENURE_FAULT_MISALIGNED) mapping.address = off_by_one(mapping.address);
  if (effect == TENURE_FAULT_NULL_ADDRESS) mapping.address = nullptr;
}

inline void distort(tenure_storage_info& info, std::uint32_t effect) noexcept {
  if (effect == TENURE_FAULT_MISALIGNED) info.address = off_by_one(info.address);
}

// The table of "tenure.ext.fault/1".
template <class P>
struct FaultTable {
  static std::int32_t fault_add(tenure_instance* instance, const tenure_fault_script* script,
                                tenure_status* status) noexcept {
    return boundary(status, [&] {
      Instance<P>::require(instance).provider().faults().add(read_argument(script, "fault_add: the script"));
    });
  }
  static void fault_clear(tenure_instance* instance) noexcept {
    Instance<P>::of(instance).provider().faults().clear();
  }

  static constexpr tenure_fault_api table{abi::head_of<tenure_fault_api>(), &fault_add, &fault_clear};
};

}  // namespace tenure::sdk
#pragma GCC visibility pop
