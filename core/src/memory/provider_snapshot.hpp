// SPDX-License-Identifier: Apache-2.0
// provider_snapshot: a pool's snapshot as its provider hands it over.
#pragma once

#include <optional>
#include <string>

#include "tenure/memory/pool_snapshot.hpp"
#include "tenure/provider_pool.h"

namespace tenure::inline TENURE_BUILD {

// Given back to the provider at its end.
class ProviderSnapshot {
 public:
  // `table` may be null.
  ProviderSnapshot(const tenure_pool_api& api, tenure_pool* pool, const tenure_pool_snapshot* table) noexcept
      : api_(api), pool_(pool), table_(table) {}
  ProviderSnapshot(const ProviderSnapshot&) = delete;
  ProviderSnapshot& operator=(const ProviderSnapshot&) = delete;
  ~ProviderSnapshot() {
    if (table_ != nullptr) api_.snapshot_release(pool_, table_);
  }

  // Fills in mode, options, blocks and events. Says what is wrong with it, if anything is; `out` is then of
  // no use.
  std::optional<std::string> read(PoolSnapshot& out) const;

 private:
  const tenure_pool_api& api_;
  tenure_pool* pool_;
  const tenure_pool_snapshot* table_;
};

}  // namespace tenure::inline TENURE_BUILD
