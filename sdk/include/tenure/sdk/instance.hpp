// SPDX-License-Identifier: Apache-2.0
// instance: one opened use of a provider class, with its domains, its storage and its counters.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "tenure/abi/checked_math.hpp"
#include "tenure/abi/code_name.hpp"
#include "tenure/provider_abi.h"
#include "tenure/sdk/argument.hpp"
#include "tenure/sdk/domain.hpp"
#include "tenure/sdk/error.hpp"
#include "tenure/sdk/host.hpp"
#include "tenure/sdk/memory_counters.hpp"
#include "tenure/sdk/provider_concept.hpp"
#include "tenure/sdk/storage.hpp"

#pragma GCC visibility push(hidden)
namespace tenure::sdk {

template <class P>
class Instance;

// Fills a range of a storage; transfer.hpp has it.
template <class P>
void fill(Instance<P>& instance, const tenure_fill_desc& desc, tenure_stream* stream);

// One storage that the glue keeps.
template <class P>
struct StorageBlock {
  StorageOf<P> storage;
  StorageFacts facts;
  const void* instance = nullptr;  // null once released
  tenure_import_desc imported{};   // its release is null unless the memory is the user's
};

// The author's Storage behind a handle, for a provider's own copy and fill, whose descriptions name storages
// by handle. The handle is not null (that is plain host memory) and is a living storage of P.
template <class P>
StorageOf<P>& storage_of(tenure_storage* handle) noexcept {
  if constexpr (keeps_storage<P>) {
    return *reinterpret_cast<StorageOf<P>*>(handle);
  } else {
    return reinterpret_cast<StorageBlock<P>*>(handle)->storage;
  }
}

// The provider, and what the glue knows of it. What tenure_instance* points to.
template <class P>
class Instance {
 public:
  using Storage = StorageOf<P>;
  // What tenure_storage* points to.
  using Object = std::conditional_t<keeps_storage<P>, Storage, StorageBlock<P>>;

  // Throws what the provider's constructor throws, INVALID_ARGUMENT for an unknown option, and INTERNAL
  // for domains that break the contract.
  Instance(const Host& host, OpenOptions& options)
      : host_(host), provider_(host, options), domains_(provider_.domains()), counters_(domains_.size()) {
    options.require_all_known();
    if (domains_.empty()) throw Error(TENURE_INTERNAL, "the provider names no domain; it needs at least one");
    for (const Domain& domain : domains_) {
      if (domain.name.empty() || !abi::is_power_of_two(domain.alignment_bytes_min)) {
        throw Error(TENURE_INTERNAL,
                    "the domain \"" + domain.name +
                        "\" needs a name and a power of two as alignment_bytes_min, which is " +
                        std::to_string(domain.alignment_bytes_min));
      }
    }
    if constexpr (NamesDevices<P>) {
      devices_ = provider_.devices();
    } else {
      const std::string& first = domains_.front().name;
      devices_.push_back({first.substr(0, first.find('/')), domains_.front().dlpack_type, 0, 0});
    }
  }

  static Instance& of(tenure_instance* handle) noexcept { return *reinterpret_cast<Instance*>(handle); }
  // INVALID_ARGUMENT for null.
  static Instance& require(tenure_instance* handle) {
    require_pointer(handle, "the instance");
    return of(handle);
  }
  tenure_instance* handle() noexcept { return reinterpret_cast<tenure_instance*>(this); }

  P& provider() noexcept { return provider_; }
  const Host& host() const noexcept { return host_; }
  const std::vector<Domain>& domains() const noexcept { return domains_; }
  const std::vector<Device>& devices() const noexcept { return devices_; }

  // OUT_OF_RANGE for an index that is none.
  const Domain& domain(std::uint64_t index) const {
    if (index < domains_.size()) return domains_[index];
    throw Error(TENURE_OUT_OF_RANGE, "there is no domain " + std::to_string(index) + "; this instance has " +
                                         std::to_string(domains_.size()));
  }

  tenure_domain_statistics statistics(std::uint64_t index) {
    domain(index);
    if constexpr (CountsStatistics<P>) {
      // Also those that the provider never saw.
      tenure_domain_statistics statistics = provider_.statistics(index);
      statistics.failed_calls = counters_[index].snapshot().failed_calls;
      return statistics;
    } else if constexpr (!keeps_storage<P>) {
      return counters_[index].snapshot();
    } else {
      throw Error(TENURE_UNIMPLEMENTED, "this provider keeps no statistics");
    }
  }

  // Runs a create or an import, or a step of one, and counts it when it throws.
  template <class Step>
  auto counting_failure(std::uint64_t index, const Step& step) {
    domain(index);
    try {
      return step();
    } catch (...) {
      counters_[index].add_failed();
      throw;
    }
  }

  tenure_storage* create(std::uint64_t index, const tenure_storage_desc& desc) {
    const Domain& place = domain(index);
    return counting_failure(index, [&] {
      const StorageRequest request = check(place, desc);
      if constexpr (keeps_storage<P>) {
        return to_handle(provider_.create(index, request));
      } else {
        return keep(index, request.alignment_bytes, request.zero, desc.bytes, {},
                    [&]() -> Storage { return provider_.create(index, request); });
      }
    });
  }

  // Takes over memory of the user's, or UNIMPLEMENTED. After a failure the user still owns it.
  tenure_storage* import_memory(std::uint64_t index, const tenure_import_desc& desc) {
    return counting_failure(index, [&]() -> tenure_storage* {
      if (desc.address == nullptr && desc.bytes != 0) {
        throw Error(TENURE_INVALID_ARGUMENT, "import: the address is null");
      }
      if constexpr (!ImportsMemory<P>) {
        throw Error(TENURE_UNIMPLEMENTED, "this provider does not import memory");
      } else if constexpr (keeps_storage<P>) {
        return to_handle(provider_.import_memory(index, desc));
      } else {
        return keep(index, address_alignment_bytes(desc.address), false, desc.bytes, desc,
                    [&]() -> Storage { return provider_.import_memory(index, desc); });
      }
    });
  }

  // Never fails. A handle that is no living storage of this instance is logged and left alone where the
  // glue keeps the storage.
  void release(tenure_storage* handle, tenure_stream* stream) noexcept {
    if constexpr (keeps_storage<P>) {
      if (handle != nullptr) release_payload(object(handle), stream);
    } else {
      if (!is_ours(handle)) {
        host_.log(TENURE_LOG_ERROR,
                  "storage_release: not a living storage of this instance; nothing was released");
        return;
      }
      const std::unique_ptr<Object> block(&object(handle));
      block->instance = nullptr;
      counters_[block->facts.domain].add_released(block->facts.bytes);
      release_payload(block->storage, stream);
      if (block->imported.release != nullptr) block->imported.release(block->imported.context);
    }
  }

  // INVALID_ARGUMENT for a handle that is visibly no storage of this instance; the same below.
  StorageFacts facts(tenure_storage* handle) const {
    if constexpr (keeps_storage<P>) {
      require_pointer(handle, "the storage");
      return P::facts(object(handle));
    } else {
      if (!is_ours(handle)) throw Error(TENURE_INVALID_ARGUMENT, "not a living storage of this instance");
      return object(handle).facts;
    }
  }

  // The author's object behind a handle.
  Storage& storage(tenure_storage* handle) const {
    if constexpr (keeps_storage<P>) {
      require_pointer(handle, "the storage");
      return object(handle);
    } else {
      if (!is_ours(handle)) throw Error(TENURE_INVALID_ARGUMENT, "not a living storage of this instance");
      return object(handle).storage;
    }
  }

  // A host address until the matching unmap. FAILED_PRECONDITION for access that the domain does not grant.
  void* map(tenure_storage* handle, std::uint32_t access) {
    const StorageFacts known = facts(handle);
    const Domain& place = domain(known.domain);
    if (access == 0 || (access & ~mapped_host_access) != 0) {
      throw Error(TENURE_INVALID_ARGUMENT, "map takes host read, host write or both as access");
    }
    if ((place.access & access) != access) {
      throw Error(TENURE_FAILED_PRECONDITION,
                  place.name + " is " + std::string(abi::memory_name(place.memory)) +
                      " memory that the host may not map this way; copy it to a host domain first");
    }
    if (!keeps_storage<P> && known.address != nullptr) return known.address;
    return require_address(provider_.map(storage(handle), access));
  }

  void unmap(tenure_storage* handle, std::uint32_t access) noexcept {
    if constexpr (requires(Storage & mapped) { provider_.unmap(mapped, access); }) {
      if constexpr (keeps_storage<P>) {
        provider_.unmap(object(handle), access);
      } else {
        if (is_ours(handle) && object(handle).facts.address == nullptr) {
          provider_.unmap(object(handle).storage, access);
        }
      }
    }
  }

 private:
  static Object& object(tenure_storage* handle) noexcept { return *reinterpret_cast<Object*>(handle); }

  static tenure_storage* to_handle(Object* made) {
    if (made == nullptr) throw Error(TENURE_INTERNAL, "the provider made no storage and threw nothing");
    return reinterpret_cast<tenure_storage*>(made);
  }

  bool is_ours(tenure_storage* handle) const noexcept {
    return handle != nullptr && object(handle).instance == this;
  }

  static void* require_address(void* address) {
    if (address == nullptr) throw Error(TENURE_INTERNAL, "the provider's map gave no address");
    return address;
  }

  static StorageRequest check(const Domain& place, const tenure_storage_desc& desc) {
    require_alignment(desc.alignment_bytes);
    if ((desc.flags & ~TENURE_STORAGE_ZERO) != 0) {
      throw Error(TENURE_INVALID_ARGUMENT, "unknown storage flags " + std::to_string(desc.flags));
    }
    // Beyond half the address range a provider's own rounding could overflow.
    const std::uint64_t bytes_max =
        place.storage_bytes_max != 0 ? place.storage_bytes_max : std::uint64_t{INT64_MAX} / 2;
    if (desc.bytes > bytes_max) {
      throw Error(TENURE_RESOURCE_EXHAUSTED, place.name + " makes storage of up to " +
                                                 std::to_string(bytes_max) + " bytes; " +
                                                 std::to_string(desc.bytes) + " were asked for");
    }
    return {.bytes = std::max<std::uint64_t>(desc.bytes, 1),
            .alignment_bytes = std::max(desc.alignment_bytes, place.alignment_bytes_min),
            .zero = (desc.flags & TENURE_STORAGE_ZERO) != 0};
  }

  void release_payload(Storage& storage, tenure_stream* stream) noexcept {
    if constexpr (ReleasesInStreamOrder<P>) {
      provider_.release(storage, stream);
    } else {
      provider_.release(storage);
    }
  }

  // Makes a block around what `make` returns. What fails after that gives the author's part back.
  template <class Make>
  tenure_storage* keep(std::uint64_t index, std::uint64_t alignment_bytes, bool zero, std::uint64_t bytes,
                       const tenure_import_desc& imported, const Make& make) {
    const Domain& place = domains_[index];
    auto discard = [this](Object* block) {
      release_payload(block->storage, nullptr);
      delete block;
    };
    std::unique_ptr<Object, decltype(discard)> block(
        new Object{make(), {nullptr, bytes, alignment_bytes, 0, index}, this, imported}, discard);
    if ((place.access & coherent_host_access) == coherent_host_access) {
      block->facts.address = require_address(provider_.map(block->storage, mapped_host_access));
    }
    // Pageable memory is plain host memory, which has no identity.
    if (place.memory != TENURE_MEMORY_PAGEABLE) {
      block->facts.allocation_id = next_allocation_id_.fetch_add(1, std::memory_order_relaxed);
    }
    auto* const handle = reinterpret_cast<tenure_storage*>(block.get());
    if (zero) {
      auto zeros = abi::make_struct<tenure_fill_desc>();
      zeros.storage = handle;
      zeros.bytes = bytes;
      zeros.pattern_bytes = 1;
      sdk::fill(*this, zeros, nullptr);
    }
    counters_[index].add_created(bytes);
    block.release();
    return handle;
  }

  Host host_;
  P provider_;
  std::vector<Domain> domains_;
  std::vector<Device> devices_;
  std::vector<MemoryCounters> counters_;  // one for each domain
  std::atomic<std::uint64_t> next_allocation_id_{1};
};

}  // namespace tenure::sdk
#pragma GCC visibility pop
