// SPDX-License-Identifier: Apache-2.0
// fault_table: "tenure.ext.fault/1" over a provider class with a fault list, and what a fault does to a call.
#pragma once

#include <cstdint>

#include "tenure/abi/struct_head.hpp"
#include "tenure/provider_fault.h"
#include "tenure/sdk/argument.hpp"
#include "tenure/sdk/boundary.hpp"
#include "tenure/sdk/instance.hpp"
#include "tenure/sdk/provider_concept.hpp"

#pragma GCC visibility push(hidden)
namespace tenure::sdk {

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

inline void distort(StorageFacts& facts, std::uint32_t effect) noexcept {
  if (effect == TENURE_FAULT_MISALIGNED) facts.address = off_by_one(facts.address);
}

// The table of "tenure.ext.fault/1".
template <class P>
struct FaultTable {
  static std::int32_t fault_add(tenure_instance* instance, const tenure_fault_script* script,
                                tenure_status* status) noexcept {
    return boundary(status, [&] {
      Instance<P>::require(instance).provider().faults().add(read_argument(script, "fault_add: script"));
    });
  }
  static void fault_clear(tenure_instance* instance) noexcept {
    Instance<P>::of(instance).provider().faults().clear();
  }

  static constexpr tenure_fault_api table{abi::head_of<tenure_fault_api>(), &fault_add, &fault_clear};
};

}  // namespace tenure::sdk
#pragma GCC visibility pop
