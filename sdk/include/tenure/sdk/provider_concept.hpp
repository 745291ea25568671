// SPDX-License-Identifier: Apache-2.0
// provider_concept: what a provider class has, must have and may have.
//
// Must have:
//   Class(const Host&, OpenOptions&)
//       throws when it cannot work.
//   domains() const
//       its std::vector<Domain>: constant, at least one.
//   create(std::uint64_t domain, const StorageRequest&)
//       its Storage, a class of the author's. Returned by value, the glue keeps it, with its sizes,
//       identity and statistics. Returned by pointer, that pointer is the handle, and the provider keeps
//       all of that itself.
//   release(Storage&) noexcept, or release(Storage&, tenure_stream*) noexcept
//   map(Storage&, std::uint32_t access)
//       a host address, until unmap. A storage of a coherent domain that the glue keeps is mapped once,
//       when it is made.
//   static facts(const Storage&) noexcept
//       its StorageFacts; only when create returns a pointer.
//
// May have, each alone; in brackets what happens without:
//   devices() const
//       its std::vector<Device> [one device for all domains].
//   static why_unavailable(const Host&)
//       a std::string: a sentence for the user, empty when open can work here [available].
//   unmap(Storage&, std::uint32_t access) noexcept [nothing].
//   import_memory(std::uint64_t domain, const tenure_import_desc&)
//       a Storage around the user's memory, returned as create returns one. Of a storage that the glue
//       keeps it also calls the user's release [UNIMPLEMENTED].
//   statistics(std::uint64_t domain)
//       a tenure_domain_statistics, of which the glue counts failed_calls
//       [all counted by the glue, UNIMPLEMENTED where create returns a pointer].
//   can_copy(std::uint64_t source, std::uint64_t target) noexcept
//       of domains or TENURE_DOMAIN_HOST [whether the host may read the one and write the other].
//   copy(const tenure_copy_desc&, tenure_stream*), fill(const tenure_fill_desc&, tenure_stream*)
//       of boxes and ranges that are not empty; storage_of<Class>(handle), from instance.hpp, is the Storage
//       that a handle in them stands for [through map].
//   trim(std::uint64_t domain, std::uint64_t retained_bytes) noexcept [gives back 0 bytes].
//   extension(std::string_view id) noexcept
//       a table of its own or null, asked before the glue's tables [null].
//   create_pool, create_engine, faults
//       pool_table.hpp, engine_table.hpp and fault_list.hpp say what these are.
//
// Members without noexcept may throw; sdk::Error chooses the code. All are called from any thread.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "tenure/provider_abi.h"
#include "tenure/provider_engine.h"
#include "tenure/provider_pool.h"
#include "tenure/sdk/domain.hpp"
#include "tenure/sdk/fault_list.hpp"
#include "tenure/sdk/host.hpp"
#include "tenure/sdk/open_options.hpp"
#include "tenure/sdk/storage.hpp"

#pragma GCC visibility push(hidden)
namespace tenure::sdk {

template <class P>
concept OpensWithOptions = std::constructible_from<P, const Host&, OpenOptions&>;

template <class P>
concept NamesDomains = requires(const P& provider) {
  { provider.domains() } -> std::convertible_to<std::vector<Domain>>;
};

template <class P>
concept CreatesStorage = requires(P& provider, std::uint64_t domain, const StorageRequest& request) {
  {provider.create(domain, request)};
  requires std::is_class_v<std::remove_pointer_t<decltype(provider.create(domain, request))>>;
};

template <class P>
using CreateResultOf =
    decltype(std::declval<P&>().create(std::uint64_t{}, std::declval<const StorageRequest&>()));

// The author's Storage.
template <class P>
using StorageOf = std::remove_pointer_t<CreateResultOf<P>>;

// Whether the provider keeps its storage itself: create returns a pointer, which is the handle.
template <class P>
inline constexpr bool keeps_storage = std::is_pointer_v<CreateResultOf<P>>;

template <class P>
concept ReleasesInStreamOrder = requires(P& provider, StorageOf<P>& storage, tenure_stream* stream) {
  { provider.release(storage, stream) }
  noexcept;
};

template <class P>
concept ReleasesStorage = ReleasesInStreamOrder<P> || requires(P& provider, StorageOf<P>& storage) {
  { provider.release(storage) }
  noexcept;
};

template <class P>
concept MapsStorage = requires(P& provider, StorageOf<P>& storage, std::uint32_t access) {
  { provider.map(storage, access) } -> std::convertible_to<void*>;
};

template <class P>
concept KnowsFacts = !keeps_storage<P> || requires(const StorageOf<P>& storage) {
  { P::facts(storage) }
  noexcept->std::same_as<StorageFacts>;
};

template <class P>
concept NamesDevices = requires(const P& provider) {
  { provider.devices() } -> std::convertible_to<std::vector<Device>>;
};

template <class P>
concept SaysWhyUnavailable = requires(const Host& host) {
  { P::why_unavailable(host) } -> std::convertible_to<std::string>;
};

template <class P>
concept UnmapsStorage = requires(P& provider, StorageOf<P>& storage, std::uint32_t access) {
  { provider.unmap(storage, access) }
  noexcept;
};

template <class P>
concept ImportsMemory = requires(P& provider, std::uint64_t domain, const tenure_import_desc& desc) {
  { provider.import_memory(domain, desc) } -> std::same_as<CreateResultOf<P>>;
};

template <class P>
concept CountsStatistics = requires(P& provider, std::uint64_t domain) {
  { provider.statistics(domain) } -> std::same_as<tenure_domain_statistics>;
};

template <class P>
concept DecidesCopies = requires(P& provider, std::uint64_t source, std::uint64_t target) {
  { provider.can_copy(source, target) }
  noexcept->std::same_as<bool>;
};

template <class P>
concept CopiesMemory = requires(P& provider, const tenure_copy_desc& desc, tenure_stream* stream) {
  provider.copy(desc, stream);
};

template <class P>
concept FillsMemory = requires(P& provider, const tenure_fill_desc& desc, tenure_stream* stream) {
  provider.fill(desc, stream);
};

template <class P>
concept TrimsMemory = requires(P& provider, std::uint64_t domain, std::uint64_t bytes) {
  { provider.trim(domain, bytes) }
  noexcept->std::same_as<std::uint64_t>;
};

template <class P>
concept OffersExtensions = requires(P& provider, std::string_view id) {
  { provider.extension(id) }
  noexcept->std::same_as<const void*>;
};

template <class P>
concept MakesPools = requires(P& provider, std::uint64_t domain, const tenure_pool_options& options) {
  typename decltype(provider.create_pool(domain, options))::element_type;
};

template <class P>
concept MakesEngines = requires(P& provider, const tenure_engine_options& options) {
  typename decltype(provider.create_engine(options))::element_type;
};

// Also of pools.
template <class T>
concept HasFaults = requires(T& owner) {
  { owner.faults() }
  noexcept->std::same_as<FaultList&>;
};

}  // namespace tenure::sdk
#pragma GCC visibility pop
