// SPDX-License-Identifier: Apache-2.0
// cache_share: how much of the caches one processor can count on.
#pragma once

#include <cstdint>

namespace tenure::cpu {

// About what one processor finds again of what it wrote, its part of the last level among it. At least 4 MiB.
std::uint64_t cache_share_bytes() noexcept;

}  // namespace tenure::cpu
