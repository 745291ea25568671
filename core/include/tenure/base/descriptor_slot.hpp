// SPDX-License-Identifier: Apache-2.0
// descriptor_slot: the name of one descriptor of an allocation group.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tenure/config.h"

namespace tenure::inline TENURE_BUILD {

// A value that grants nothing: only the group that made it finds something under it. The default names
// nothing in any group.
struct DescriptorSlot {
  std::size_t index = 0;         // a place in the group's table
  std::uint64_t generation = 0;  // which descriptor of that place; never used again in its group
  std::uint64_t group_tag = 0;   // which group; never used again in the process

  friend bool operator==(const DescriptorSlot&, const DescriptorSlot&) = default;
};

}  // namespace tenure::inline TENURE_BUILD
