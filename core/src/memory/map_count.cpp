// SPDX-License-Identifier: Apache-2.0
#include "memory/map_count.hpp"

#include <string>

#include "tenure/base/access_error.hpp"

namespace tenure::inline TENURE_BUILD {
namespace {

constexpr std::int32_t write_mapped = -1;

[[noreturn]] void throw_mapped(std::string_view operation, std::int32_t alive, MapAccess access) {
  throw AccessError(AccessError::Kind::mapped, std::string(operation),
                    {access == MapAccess::read ? "to read the memory" : "to write the memory alone",
                     alive == write_mapped ? "a write map or a copy into it that is under way"
                                           : std::to_string(alive) + " maps or copies that read it",
                     "let them end first"});
}

}  // namespace

MapCount::MapCount(std::string_view operation, AllocationRecord& record, MapAccess access)
    : record_(&record), access_(access) {
  std::int32_t alive = record.maps.load(std::memory_order_relaxed);
  for (;;) {
    const bool conflict = access == MapAccess::read ? alive == write_mapped : alive != 0;
    if (conflict) throw_mapped(operation, alive, access);
    const std::int32_t entered = access == MapAccess::read ? alive + 1 : write_mapped;
    if (record.maps.compare_exchange_weak(alive, entered, std::memory_order_acquire,
                                          std::memory_order_relaxed)) {
      return;
    }
  }
}

void MapCount::leave(AllocationRecord& record, MapAccess access) noexcept {
  record.maps.fetch_add(access == MapAccess::read ? -1 : 1, std::memory_order_release);
}

}  // namespace tenure::inline TENURE_BUILD
