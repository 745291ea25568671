// SPDX-License-Identifier: Apache-2.0
// noted_copies: bytes that providers said they copied beyond what they were asked for.
#pragma once

#include <cstdint>

#include "tenure/config.h"

namespace tenure::inline TENURE_BUILD {

struct NotedCopies {
  std::uint64_t calls = 0;
  std::uint64_t bytes = 0;
};

// Reported on the calling thread since it began; it only grows, so a scope takes the difference.
NotedCopies noted_copies() noexcept;

}  // namespace tenure::inline TENURE_BUILD
