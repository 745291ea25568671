// SPDX-License-Identifier: Apache-2.0
// block: one allocation of a pool, described apart from its bytes.
#pragma once

#include <cstdint>

#include "tenure/sdk/pool/size_class.hpp"

#pragma GCC visibility push(hidden)
namespace tenure::sdk::pool {

enum class BlockState : std::uint8_t {
  live,      // in somebody's hands, comes back to the pool
  idle,      // kept by the pool
  detached,  // in somebody's hands, freed when it is released
};

// Stands for a provider's own data where a provider has none.
struct NoPayload {};

// Also usable as a provider's tenure_storage: the release token is the block. A storage that no pool
// made has a null `core`, and the provider fills `address` and `bytes` itself. Everything but `payload`
// is the pool's to write.
//
// Kept apart from the bytes, so an overrun cannot damage the pool and device memory works the same.
template <class Core, class Payload>
struct alignas(64) Block {
  void* address = nullptr;
  std::uint64_t bytes = 0;           // usable by whoever holds the block
  std::uint64_t capacity_bytes = 0;  // counted by the statistics
  std::uint64_t alignment_bytes = 0;
  Core* core = nullptr;  // outlives the block
  SizeClass size_class = 0;
  BlockState state = BlockState::live;
  bool is_exact = false;  // smaller than its class: freed when it is released
  [[no_unique_address]] Payload payload{};

  std::uint64_t stamp = 0;  // when it came to its central list
  Block* newer = nullptr;
  Block* older = nullptr;  // also the next one of a chain that is about to be freed
};

}  // namespace tenure::sdk::pool
#pragma GCC visibility pop
