// SPDX-License-Identifier: Apache-2.0
// shared_record: the control block of a shared storage.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include "memory/use_count.hpp"
#include "tenure/shared/shared_use.hpp"
#include "tenure/tensor/owner_state.hpp"

namespace tenure::inline TENURE_BUILD {

struct SharedRecord {
  SharedRecord(OwnerState&& taken_over, bool counts_versions) noexcept
      : owner(std::move(taken_over)), has_version(counts_versions) {}

  OwnerState owner;
  const bool has_version;
  // Handles and guards. Each of them takes far more than a byte, so that the count cannot overflow.
  std::atomic<std::uint64_t> references = 0;
  std::atomic<std::uint64_t> version = 0;
  UseCount uses;
};

}  // namespace tenure::inline TENURE_BUILD
