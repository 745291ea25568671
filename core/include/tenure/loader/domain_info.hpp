// SPDX-License-Identifier: Apache-2.0
// domain_info: what an instance says about one of its allocation domains.
#pragma once

#include <cstdint>
#include <string>

#include "tenure/config.h"

namespace tenure::inline TENURE_BUILD {

// Constant for the life of the instance. A zero that the provider gave for "not reported" stays zero,
// except where a comment says otherwise.
struct DomainInfo {
  std::uint64_t id = 0;      // of this domain of this instance: process-wide, from 1, never reused
  std::uint64_t index = 0;   // the provider's number of it
  std::string name;          // "cpu:0/pageable"; unique within the instance, stable across opens
  std::uint32_t memory = 0;  // TENURE_MEMORY_*; a number that this build does not know is OPAQUE
  std::uint32_t access = 0;  // TENURE_ACCESS_* bits; none of the host's for OPAQUE
  std::int32_t device_index = -1;
  std::int32_t numa_node = -1;
  std::int32_t dlpack_type = 0;
  std::int32_t dlpack_id = 0;
  std::uint64_t alignment_bytes_min = 1;  // a power of two; every storage has at least this alignment
  std::uint64_t granularity_bytes = 0;
  std::uint64_t storage_bytes_max = UINT64_MAX;  // UINT64_MAX when not reported
  std::uint64_t total_bytes = 0;
  std::uint64_t quota_bytes = 0;
};

// What the provider counted for one domain.
struct DomainStatistics {
  std::uint64_t live_count = 0;
  std::uint64_t live_bytes = 0;      // as requested
  std::uint64_t reserved_bytes = 0;  // live and retained, as taken from the system
  std::uint64_t peak_bytes = 0;      // highest live_bytes
  std::uint64_t create_calls = 0;
  std::uint64_t release_calls = 0;
  std::uint64_t failed_calls = 0;
};

}  // namespace tenure::inline TENURE_BUILD
