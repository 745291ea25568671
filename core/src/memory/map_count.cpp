// SPDX-License-Identifier: Apache-2.0
#include "memory/map_count.hpp"

#include <string>

#include "base/counted.hpp"
#include "tenure/base/access_error.hpp"

namespace tenure::inline TENURE_BUILD {
namespace {

[[noreturn]] void throw_mapped(std::string_view operation, std::int32_t alive, MapAccess access) {
  throw AccessError(
      AccessError::Kind::mapped, std::string(operation),
      {access == MapAccess::read ? "to read the memory" : "to write the memory alone",
       alive == UseCount::writing ? "a write map or a copy into it that is under way"
                                  : counted(alive, "map or copy", "maps or copies") + " of it for reading",
       alive > 1 ? "let them end first" : "let it end first"});
}

}  // namespace

MapCount::MapCount(std::string_view operation, AllocationRecord& record, MapAccess access)
    : record_(&record), access_(access) {
  if (const std::int32_t alive = record.maps.enter(access)) throw_mapped(operation, alive, access);
}

void MapCount::leave(AllocationRecord& record, MapAccess access) noexcept { record.maps.leave(access); }

}  // namespace tenure::inline TENURE_BUILD
