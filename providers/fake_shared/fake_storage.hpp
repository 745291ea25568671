// SPDX-License-Identifier: Apache-2.0
// fake_storage: one allocation of the fake device, from a pool or not.
#pragma once

#include <cstdint>
#include <optional>

#include "fake_domain.hpp"
#include "fake_maps.hpp"
#include "tenure/provider_abi.h"
#include "tenure/sdk/pool/pool.hpp"
#include "tenure/sdk/pool/thread_index.hpp"

namespace tenure::fake {

// What the provider keeps of an allocation beside its address and size.
struct FakeAllocation {
  FakeDomain* domain = nullptr;
  std::uint64_t id = 0;           // new each time the memory is handed out
  std::uint64_t asked_bytes = 0;  // by who holds the storage
  std::optional<tenure_import_desc> imported;
  FakeMaps maps;
};

using FakeBlockPool = sdk::pool::Pool<FakeMemory, sdk::pool::HostThreadIndex, FakeAllocation>;

// What tenure_storage* points to. One that no pool made has a null `core`.
using FakeStorage = FakeBlockPool::Block;

inline MappedMemory mapped_memory(const FakeStorage& storage) noexcept {
  return {static_cast<std::byte*>(storage.address), storage.bytes, storage.alignment_bytes,
          storage.payload.domain->is_coherent()};
}

}  // namespace tenure::fake
