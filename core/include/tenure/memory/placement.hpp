// SPDX-License-Identifier: Apache-2.0
// placement: what kind of memory a tensor lies in, and of which device.
#pragma once

#include <cstdint>
#include <string_view>

#include "tenure/config.h"

namespace tenure::inline TENURE_BUILD {

enum class MemoryKind : std::uint8_t {
  unpinned_host,  // pageable
  pinned_host,
  device,
  managed,
  shared,
  other,  // nothing is known but that a provider has it
};

TENURE_API std::string_view memory_kind_name(MemoryKind kind) noexcept;

// A property of the allocation, stored once in its record and read through every view of it. The default is
// plain host memory, which has no record.
struct Placement {
  MemoryKind memory = MemoryKind::unpinned_host;
  std::int16_t device_type = 0;  // DLPack's device type; 0: no device
  std::int32_t device_id = 0;

  friend bool operator==(const Placement&, const Placement&) = default;
};
static_assert(sizeof(Placement) <= 8);

}  // namespace tenure::inline TENURE_BUILD
