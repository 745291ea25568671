// SPDX-License-Identifier: Apache-2.0
// batch_work: how the items of a batch, and the tiles of each, are shared between the threads.
#pragma once

#include <cstdint>
#include <string_view>

#include "executor.hpp"
#include "tenure/provider_engine.h"

namespace tenure::cpu {

// Items that are computed apart from each other, each in as many tiles. Unit i is tile i % tiles of item
// i / tiles.
struct BatchWork {
  std::int64_t items;
  std::int64_t tiles;
  std::int64_t tile_cost;  // at least 1

  std::int64_t units() const noexcept { return items * tiles; }
};

// Throws INVALID_ARGUMENT for a policy that is none, UNIMPLEMENTED where it wants several threads and there
// is nothing to give them; `operation` begins the sentence.
void require_batch_policy(const Executor& executor, const BatchWork& work, std::string_view operation);

// Calls body(begin, end) for consecutive units as executor.batch_policy says, which must be possible.
template <class Body>
void for_each_batch_task(const Executor& executor, const BatchWork& work, const Body& body) {
  switch (executor.batch_policy) {
    case TENURE_BATCH_SEQUENTIAL:
      return body(std::int64_t{0}, work.units());
    case TENURE_BATCH_OUTER:
      // Whole items, whatever they cost.
      return for_each_task(executor, spread(executor, work.units(), 1, work.tiles), body);
    case TENURE_BATCH_INNER:
      for (std::int64_t item = 0; item < work.items; ++item) {
        const std::int64_t first = item * work.tiles;
        for_each_task(executor, spread(executor, work.tiles, 1, 1),
                      [&](std::int64_t begin, std::int64_t end) { body(first + begin, first + end); });
      }
      return;
    default:
      return for_each_task(executor, divide_work(executor, work.units(), work.tile_cost), body);
  }
}

}  // namespace tenure::cpu
