// SPDX-License-Identifier: Apache-2.0
// storage: what the glue asks of a provider's create, and what it knows of a storage afterwards.
#pragma once

#include <algorithm>
#include <cstdint>

#include "tenure/abi/struct_copy.hpp"
#include "tenure/abi/struct_head.hpp"
#include "tenure/provider_abi.h"

#pragma GCC visibility push(hidden)
namespace tenure::sdk {

// A checked request for memory.
struct StorageRequest {
  std::uint64_t bytes = 1;            // at least 1, also when the caller asked for nothing
  std::uint64_t alignment_bytes = 1;  // a power of two, at least the domain's minimum
  bool zero = false;  // for providers that keep their own storage; the glue zeroes what it keeps
};

// What the contract reports of a storage.
struct StorageFacts {
  void* address = nullptr;  // host address of coherent memory; null: map it
  std::uint64_t bytes = 0;  // usable
  std::uint64_t alignment_bytes = 1;
  std::uint64_t allocation_id = 0;  // 0: this memory has no identity
  std::uint64_t domain = 0;         // index
};

// What an address is aligned to, up to a page: what it happens to have beyond that means nothing.
inline std::uint64_t address_alignment_bytes(const void* address) noexcept {
  constexpr std::uint64_t page_bytes = 4096;
  const std::uint64_t number = reinterpret_cast<std::uintptr_t>(address);
  return number == 0 ? 1 : std::min(number & (~number + 1), page_bytes);
}

inline void write_info(tenure_storage_info* out, tenure_storage* storage, const StorageFacts& facts) noexcept;

// For a caller whose struct is shorter than ours.
[[gnu::noinline, gnu::cold]] inline void write_short_info(tenure_storage_info* out, tenure_storage* storage,
                                                          const StorageFacts& facts) noexcept {
  auto info = abi::make_struct<tenure_storage_info>();
  write_info(&info, storage, facts);
  abi::write_struct(out, info);
}

// Writes what is known of a storage into the caller's struct.
inline void write_info(tenure_storage_info* out, tenure_storage* storage,
                       const StorageFacts& facts) noexcept {
  if (out->head.bytes < sizeof(tenure_storage_info)) [[unlikely]] {
    return write_short_info(out, storage, facts);
  }
  // Member by member, since a copy of a whole struct loads wide what has just been stored narrow, and
  // that stalls longer than the rest of a pool's acquire takes.
  out->storage = storage;
  out->address = facts.address;
  out->bytes = facts.bytes;
  out->alignment_bytes = facts.alignment_bytes;
  out->allocation_id = facts.allocation_id;
}

}  // namespace tenure::sdk
#pragma GCC visibility pop
