// SPDX-License-Identifier: Apache-2.0
// map_count: one use of an allocation that others may exclude, counted in its record.
#pragma once

#include <string_view>

#include "memory/allocation_record.hpp"
#include "tenure/memory/storage_map.hpp"

namespace tenure::inline TENURE_BUILD {

// Reading uses go together; a writing use excludes all others. Nothing ever waits.
class MapCount {
 public:
  // Throws AccessError (mapped) naming what is in the way.
  MapCount(std::string_view operation, AllocationRecord& record, MapAccess access);
  MapCount(const MapCount&) = delete;
  MapCount& operator=(const MapCount&) = delete;
  ~MapCount() {
    if (record_ != nullptr) leave(*record_, access_);
  }

  // The use goes on after this object; the caller must leave it.
  void keep() noexcept { record_ = nullptr; }
  static void leave(AllocationRecord& record, MapAccess access) noexcept;

 private:
  AllocationRecord* record_;
  MapAccess access_;
};

}  // namespace tenure::inline TENURE_BUILD
