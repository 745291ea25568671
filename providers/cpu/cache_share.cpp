// SPDX-License-Identifier: Apache-2.0
#include "cache_share.hpp"

#include <unistd.h>

#include <algorithm>

namespace tenure::cpu {

// A virtual machine reports the last level of a whole socket and few of the processors that share it, so that
// level says nothing of one processor's part. The second level belongs to a processor, and parts of the last
// level are between one and four times as large.
std::uint64_t cache_share_bytes() noexcept {
  constexpr std::uint64_t share_bytes_min = std::uint64_t{4} << 20;
#if defined(_SC_LEVEL2_CACHE_SIZE)
  const long second_level_bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
  if (second_level_bytes > 0) {
    return std::max(share_bytes_min, 4 * static_cast<std::uint64_t>(second_level_bytes));
  }
#endif
  return share_bytes_min;
}

}  // namespace tenure::cpu
