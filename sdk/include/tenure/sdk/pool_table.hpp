// SPDX-License-Identifier: Apache-2.0
// pool_table: "tenure.ext.pool/1" over a provider class that makes pools.
//
// The class keeps its storage itself (create returns a pointer) and has
//   create_pool(std::uint64_t domain, const tenure_pool_options&)   its std::unique_ptr<Pool>
//   detach(Storage&) noexcept
//   thread_exit(std::uint32_t thread_index) noexcept
// and its Pool, a class of the author's whose destructor leaves blocks that are out alive, has
//   acquire(std::uint64_t bytes, std::uint64_t alignment_bytes)     a Storage&; both numbers are checked
//   give_back(Storage&)                                            throws for another pool's block
//   statistics()                                                   its tenure_pool_statistics
//   trim(std::uint64_t retained_bytes) noexcept                    the bytes given back
// A Pool may have
//   snapshot()                                                     its sdk::pool::Snapshot
// and `FaultList& faults() noexcept` as the class may. Between the table and `acquire` or the
// class's `release` the glue adds no lock, no allocation and no indirect call.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <source_location>
#include <string>
#include <utility>

#include "tenure/abi/checked_math.hpp"
#include "tenure/abi/struct_copy.hpp"
#include "tenure/provider_pool.h"
#include "tenure/sdk/argument.hpp"
#include "tenure/sdk/boundary.hpp"
#include "tenure/sdk/fault_table.hpp"
#include "tenure/sdk/instance.hpp"
#include "tenure/sdk/pool/snapshot.hpp"

#pragma GCC visibility push(hidden)
namespace tenure::sdk {

// `table` is what get_extension answers for TENURE_EXT_POOL.
template <class P>
struct PoolTable {
  static_assert(keeps_storage<P>, "A provider class with pools keeps its storage: create returns a pointer.");
  using Pool = typename decltype(std::declval<P&>().create_pool(
      std::uint64_t{}, std::declval<const tenure_pool_options&>()))::element_type;
  using Storage = StorageOf<P>;

  static Pool& pool_of(tenure_pool* pool) noexcept { return *reinterpret_cast<Pool*>(pool); }

  static std::int32_t pool_create(tenure_instance* instance, std::uint64_t domain,
                                  const tenure_pool_options* options, tenure_pool** out,
                                  tenure_status* status) noexcept {
    return boundary(status, [&] {
      require_pointer(out, "pool_create: out");
      Instance<P>& self = Instance<P>::require(instance);
      self.domain(domain);
      auto pool = self.provider().create_pool(domain, read_argument(options, "pool_create: options"));
      *out = reinterpret_cast<tenure_pool*>(pool.release());
    });
  }

  static void pool_release(tenure_pool* pool) noexcept { delete reinterpret_cast<Pool*>(pool); }

  static std::int32_t acquire(tenure_pool* pool, std::uint64_t bytes, std::uint64_t alignment_bytes,
                              tenure_storage_info* out, tenure_status* status) noexcept {
    // Not through boundary(), whose body a compiler may leave out of line: this is the hottest function.
    try {
      require_struct(out, "acquire: out");
      require_pointer(pool, "the pool");
      require_alignment(alignment_bytes);
      const std::uint32_t effect = obey_fault(pool_of(pool), TENURE_FAULT_POOL_ACQUIRE);
      Storage& storage = pool_of(pool).acquire(std::max<std::uint64_t>(bytes, 1),
                                               std::max<std::uint64_t>(alignment_bytes, 1));
      StorageFacts facts = P::facts(storage);
      distort(facts, effect);
      write_info(out, reinterpret_cast<tenure_storage*>(&storage), facts);
      return TENURE_OK;
    } catch (...) {
      return report_exception(status, std::source_location::current());
    }
  }

  static void detach(tenure_instance* instance, tenure_storage* storage) noexcept {
    Instance<P>& self = Instance<P>::of(instance);
    if (storage != nullptr) self.provider().detach(*reinterpret_cast<Storage*>(storage));
  }

  static std::int32_t give_back(tenure_pool* pool, tenure_storage* storage, tenure_status* status) noexcept {
    return boundary(status, [&] {
      require_pointer(pool, "the pool");
      require_pointer(storage, "give_back: the storage");
      pool_of(pool).give_back(*reinterpret_cast<Storage*>(storage));
    });
  }

  static std::int32_t statistics(tenure_pool* pool, tenure_pool_statistics* out,
                                 tenure_status* status) noexcept {
    return boundary(status, [&] {
      require_struct(out, "statistics: out");
      require_pointer(pool, "the pool");
      abi::write_struct(out, pool_of(pool).statistics());
    });
  }

  static std::uint64_t trim(tenure_pool* pool, std::uint64_t retained_bytes) noexcept {
    return pool_of(pool).trim(retained_bytes);
  }

  static void thread_exit(tenure_instance* instance, std::uint32_t thread_index) noexcept {
    Instance<P>::of(instance).provider().thread_exit(thread_index);
  }

  static constexpr bool has_snapshots = requires(const Pool& pool) { pool.snapshot(); };

  static std::int32_t snapshot_create(tenure_pool* pool, const tenure_pool_snapshot** out,
                                      tenure_status* status) noexcept requires has_snapshots {
    return boundary(status, [&] {
      require_pointer(out, "snapshot_create: out");
      require_pointer(pool, "the pool");
      *out = pool::OwnedSnapshot::give(pool_of(pool).snapshot());
    });
  }

  static void snapshot_release(tenure_pool*, const tenure_pool_snapshot* snapshot) noexcept {
    pool::OwnedSnapshot::destroy(snapshot);
  }

  static constexpr tenure_pool_api make_table() noexcept {
    tenure_pool_api made{abi::head_of<tenure_pool_api>(),
                         &pool_create,
                         &pool_release,
                         &acquire,
                         &detach,
                         &give_back,
                         &statistics,
                         &trim,
                         &thread_exit,
                         nullptr,
                         nullptr};
    if constexpr (has_snapshots) {
      made.snapshot_create = &snapshot_create;
      made.snapshot_release = &snapshot_release;
    }
    return made;
  }

  static constexpr tenure_pool_api table = make_table();
};

}  // namespace tenure::sdk
#pragma GCC visibility pop
