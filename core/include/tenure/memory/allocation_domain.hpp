// SPDX-License-Identifier: Apache-2.0
// allocation_domain: a place where a provider makes storage.
#pragma once

#include <cstddef>
#include <string_view>

#include "tenure/loader/domain_info.hpp"
#include "tenure/memory/allocation_id.hpp"
#include "tenure/memory/placement.hpp"
#include "tenure/memory/storage.hpp"

namespace tenure::inline TENURE_BUILD {

struct DomainRecord;

// A value; Instance::domain gives one. Its facts stay readable after the instance was closed; making storage
// and asking for statistics then throw ProviderError (FAILED_PRECONDITION).
class TENURE_API AllocationDomain {
 public:
  AllocationDomainId id() const noexcept;
  // "cpu:0/pageable"
  std::string_view name() const noexcept;
  // Limits, device and access bits, as the provider reported them.
  const DomainInfo& info() const noexcept;
  // What a tensor in this domain shows.
  Placement placement() const noexcept;
  // The host can map its storage for reading, for writing.
  bool is_host_readable() const noexcept;
  bool is_host_writable() const noexcept;
  // The host reaches its storage without maps, when the provider reports the address.
  bool is_coherent() const noexcept;

  // Uninitialised bytes, given back to this domain by the storage. `alignment_bytes` is a power of two, or 0
  // for the domain's minimum. No bytes: no call, an empty storage. Throws OutOfMemory; ProviderError when
  // the provider fails or gives something else than was asked for.
  Storage allocate(std::size_t bytes, std::size_t alignment_bytes = 0) const;
  // For the layers of Tenure that are built on this one: the same, and errors name `operation`.
  Storage allocate_for(const char* operation, std::size_t bytes, std::size_t alignment_bytes) const;
  // Memory that the user made, used in place as storage of this domain with an identity of its own. Its
  // deleter runs once, when the provider has let go of the bytes. On failure `pointer` is as it was. No
  // bytes: no call, no identity. Throws AccessError (imported) when a live import shares a byte with this
  // one; ValidationError, MissingAllocationIdentity when the domain gives none, as plain host memory;
  // ProviderError, UNIMPLEMENTED when the provider imports nothing.
  Storage import_memory(DataPtr&& pointer, std::size_t bytes) const;
  // For the layers of Tenure that are built on this one: errors name `operation`, and the address and every
  // map are aligned to `alignment_bytes`. The pointer owns `owned_bytes`, and no live import shares one of
  // those.
  Storage import_memory_for(const char* operation, DataPtr&& pointer, std::size_t bytes,
                            std::size_t alignment_bytes, std::size_t owned_bytes) const;
  // Throws ProviderError.
  DomainStatistics statistics() const;
  // Gives retained memory back until at most `retained_bytes` are kept; returns the bytes given back. Best
  // effort. Throws ProviderError when the instance is closed.
  std::size_t trim(std::size_t retained_bytes = 0) const;

  friend bool operator==(const AllocationDomain&, const AllocationDomain&) = default;

  // For the layers of Tenure that are built on this one; never null, never freed.
  explicit AllocationDomain(const DomainRecord* record) noexcept : record_(record) {}
  const DomainRecord* record() const noexcept { return record_; }

 private:
  const DomainRecord* record_;
};

}  // namespace tenure::inline TENURE_BUILD
