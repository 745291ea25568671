// SPDX-License-Identifier: Apache-2.0
// storage_map: a span of time in which the host may use the bytes of one allocation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "tenure/config.h"

namespace tenure::inline TENURE_BUILD {

struct AllocationRecord;

enum class MapAccess : std::uint8_t {
  read,
  write,  // reads as well where the memory allows it
};

// Ends when destroyed; the storage must outlive it. Read maps of one storage nest and are counted; a write
// map excludes all others, and a conflict is answered at once. Coherent memory that the host may read and
// write is counted but its provider is never asked; other provider memory is mapped each time. Plain host
// memory needs no map: this only carries its address. A map is no transfer: no bytes are copied and the
// allocation keeps its identity.
class TENURE_API StorageMap {
 public:
  // No map.
  StorageMap() noexcept = default;
  // `address` and `record` as the storage or a view of it has them. Throws AccessError: not_mappable when the
  // domain forbids the access, mapped for a conflict, in_use while a device works on the memory. Throws
  // ProviderError when the provider fails or gives a map that is null, too short or misaligned, which has
  // then been ended. May wait for the provider to make a device's writes visible.
  StorageMap(std::string_view operation, std::byte* address, AllocationRecord* record, MapAccess access);
  StorageMap(StorageMap&& other) noexcept
      : address_(std::exchange(other.address_, nullptr)),
        record_(std::exchange(other.record_, nullptr)),
        access_(other.access_) {}
  StorageMap& operator=(StorageMap&& other) noexcept {
    if (this != &other) {
      end();
      address_ = std::exchange(other.address_, nullptr);
      record_ = std::exchange(other.record_, nullptr);
      access_ = other.access_;
    }
    return *this;
  }
  ~StorageMap() { end(); }

  // Of byte 0 of the storage; null for no bytes, no map, and after the end.
  std::byte* address() const noexcept { return address_; }
  // Ends the map now: what was written is visible to devices, the address must not be used any more.
  void end() noexcept;

 private:
  std::byte* address_ = nullptr;
  AllocationRecord* record_ = nullptr;
  MapAccess access_ = MapAccess::read;
};

}  // namespace tenure::inline TENURE_BUILD
