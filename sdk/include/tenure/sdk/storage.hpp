// SPDX-License-Identifier: Apache-2.0
// storage: what the glue asks of a provider's create, and what it knows of a storage afterwards.
#pragma once

#include <cstdint>

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

inline tenure_storage_info to_info(tenure_storage* storage, const StorageFacts& facts) noexcept {
  auto info = abi::make_struct<tenure_storage_info>();
  info.storage = storage;
  info.address = facts.address;
  info.bytes = facts.bytes;
  info.alignment_bytes = facts.alignment_bytes;
  info.allocation_id = facts.allocation_id;
  return info;
}

}  // namespace tenure::sdk
#pragma GCC visibility pop
