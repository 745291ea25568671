// SPDX-License-Identifier: Apache-2.0
// block_storage: storages whose bytes are a provider's block.
#pragma once

#include <cstddef>

#include "memory/allocation_record.hpp"
#include "tenure/memory/storage.hpp"

namespace tenure::inline TENURE_BUILD {

struct BlockRequest {
  const char* operation;
  const DomainRecord& domain;
  tenure_pool* pool;  // null: plain storage of the domain
  std::size_t bytes;
  std::size_t alignment_bytes;  // 0: the domain's minimum
};

// Memory of the user's, to be used in place.
struct ImportRequest {
  const char* operation;
  const DomainRecord& domain;
  std::size_t bytes;
  std::size_t alignment_bytes;  // that the address and every map must have; a power of two
  std::size_t owned_bytes;      // that go with them and no other import may have; at least `bytes`
};

// What a storage keeps of a block. The handle is also the token that gives it back.
struct Block {
  InstanceControl* instance;
  tenure_storage* handle;
  AllocationRecord* record;  // owned; null for plain host memory
};

// The only maker of such storages.
struct BlockStorage {
  // No bytes: no call, and a storage that owns nothing. Throws OutOfMemory, ProviderError (also for a block
  // that is not what was asked for, and then it has been given back), ValidationError.
  static Storage make(const BlockRequest& request);
  // The storage owns what `pointer` owned, until the provider has let go of it; on failure `pointer` is as it
  // was. Throws what AllocationDomain::import_memory says.
  static Storage import(const ImportRequest& request, DataPtr&& pointer);
  // Null for storages of other sources.
  static const Block* block_of(const Storage& storage) noexcept;
  static void extract(Storage& storage) noexcept;
  // For a provider that has taken the block back by itself: the storage owns nothing afterwards.
  static void forget(Storage& storage) noexcept;

 private:
  // `record` is owned by the storage; null for plain host memory, whose bytes lie at `address`.
  static Storage of_block(const Block& block, std::byte* address, std::size_t bytes) noexcept;
};

}  // namespace tenure::inline TENURE_BUILD
