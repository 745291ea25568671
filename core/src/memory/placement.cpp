// SPDX-License-Identifier: Apache-2.0
#include "tenure/memory/placement.hpp"

#include <array>

namespace tenure::inline TENURE_BUILD {

std::string_view memory_kind_name(MemoryKind kind) noexcept {
  constexpr std::array<std::string_view, 6> names{"unpinned_host", "pinned_host", "device",
                                                  "managed",       "shared",      "other"};
  const auto index = static_cast<std::size_t>(kind);
  return index < names.size() ? names[index] : "unknown";
}

}  // namespace tenure::inline TENURE_BUILD
