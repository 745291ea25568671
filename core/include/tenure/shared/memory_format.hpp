// SPDX-License-Identifier: Apache-2.0
// memory_format: in which order a clone's elements lie.
#pragma once

#include <cstdint>

#include "tenure/config.h"

namespace tenure::inline TENURE_BUILD {

// A wish for new memory, never a property of a tensor: what a tensor is, its layout says.
enum class MemoryFormat : std::uint8_t {
  preserve,      // the strides of the source where its layout is dense, otherwise row_major
  row_major,     // the last axis fastest
  column_major,  // the first axis fastest
  channels_last  // of rank 4 or 5: axis 1 fastest, then the last axis
};

}  // namespace tenure::inline TENURE_BUILD
