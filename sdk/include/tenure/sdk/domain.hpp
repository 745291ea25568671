// SPDX-License-Identifier: Apache-2.0
// domain: what an author says about the memory and the devices of a provider.
#pragma once

#include <cstdint>
#include <string>

#include "tenure/provider_abi.h"

#pragma GCC visibility push(hidden)
namespace tenure::sdk {

// The host reads and writes this memory where it lies, at one address for the storage's whole life.
inline constexpr std::uint32_t coherent_host_access =
    TENURE_ACCESS_HOST_READ | TENURE_ACCESS_HOST_WRITE | TENURE_ACCESS_COHERENT;
// The host reads and writes this memory between map and unmap.
inline constexpr std::uint32_t mapped_host_access = TENURE_ACCESS_HOST_READ | TENURE_ACCESS_HOST_WRITE;

inline constexpr std::int32_t dlpack_cpu = 1;

// One place where a provider makes storage. The members are those of tenure_domain_info.
struct Domain {
  std::string name;                             // "acme:0/local"; stable across opens
  std::uint32_t memory = TENURE_MEMORY_OPAQUE;  // TENURE_MEMORY_*
  std::uint32_t access = 0;                     // TENURE_ACCESS_* bits that are true
  std::int32_t device_index = 0;                // -1: none
  std::int32_t numa_node = -1;                  // -1: none
  std::int32_t dlpack_type = dlpack_cpu;
  std::int32_t dlpack_id = 0;
  std::uint64_t alignment_bytes_min = 64;  // a power of two
  std::uint64_t granularity_bytes = 0;     // 0 here and below: not reported
  std::uint64_t storage_bytes_max = 0;
  std::uint64_t total_bytes = 0;
  std::uint64_t quota_bytes = 0;
};

// One device. A provider that names none has one, called like its first domain up to the slash.
struct Device {
  std::string name;
  std::int32_t dlpack_type = dlpack_cpu;
  std::int32_t dlpack_id = 0;
  std::uint64_t default_domain = 0;
};

}  // namespace tenure::sdk
#pragma GCC visibility pop
