// SPDX-License-Identifier: Apache-2.0
// copy: moving items from one strided box to another, whatever the order of the axes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "executor.hpp"
#include "loop_nest.hpp"

namespace tenure::cpu {

// Two boxes of equal extents that share no byte, or are the same box. Strides count items.
struct BoxCopy {
  std::byte* out;
  const std::byte* in;
  std::span<const std::int64_t> extents;
  std::span<const std::int64_t> out_strides;
  std::span<const std::int64_t> in_strides;  // may be 0
  std::int64_t item_bytes;                   // 1, 2, 4, 8 or 16
};

void copy_box(const Executor& executor, const BoxCopy& copy);

}  // namespace tenure::cpu
