// SPDX-License-Identifier: Apache-2.0
// provider_concept: what a provider class has, must have and may have.
//
// Must have:
//   Class(const Host&, OpenOptions&)             throws when it cannot work
//   domains() const                              its std::vector<Domain>, constant, at least one
//   create(std::uint64_t domain, const StorageRequest&)
//                                                its Storage: a class of the author's, by value (then the
//                                                glue keeps it, with sizes, identity and statistics) or
//                                                by pointer (then the provider keeps all of that itself)
//   release(Storage&) noexcept                   or release(Storage&, tenure_stream*) noexcept
//   map(Storage&, std::uint32_t access)          a host address; called once, when it is made, for a
//                                                storage of a coherent domain that the glue keeps
//   static facts(const Storage&) noexcept        its StorageFacts; only when create returns a pointer
//
// May have, each of them alone; without it the slot does what the second column says:
//   devices() const                              one device for all domains
//   static why_unavailable(const Host&)          available; an answer that is not empty is the reason
//   unmap(Storage&, std::uint32_t access) noexcept                nothing
//   import_memory(std::uint64_t domain, const tenure_import_desc&) UNIMPLEMENTED
//   statistics(std::uint64_t domain)             counted by the glue, UNIMPLEMENTED for kept pointers
//   can_copy(std::uint64_t source, std::uint64_t target) noexcept  what the host may read and write
//   copy(const tenure_copy_desc&, tenure_stream*)                  through map
//   fill(const tenure_fill_desc&, tenure_stream*)                  through map
//   trim(std::uint64_t domain, std::uint64_t retained_bytes) noexcept  gives back nothing
//   extension(std::string_view id) noexcept      its own tables; null is no
//   create_pool, create_engine, faults           see pool_table.hpp, engine_table.hpp, fault_list.hpp
//
// Members without noexcept may throw; sdk::Error chooses the code. All are called from any thread.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "tenure/sdk/domain.hpp"
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
concept CreatesStorage = requires(P& provider, const StorageRequest& request) {
  {provider.create(std::uint64_t{}, request)};
  requires std::is_class_v<std::remove_pointer_t<decltype(provider.create(std::uint64_t{}, request))>>;
};

// The author's Storage.
template <class P>
using StorageOf = std::remove_pointer_t<decltype(std::declval<P&>().create(
    std::uint64_t{}, std::declval<const StorageRequest&>()))>;

// Whether the provider keeps its storage itself: create returns a pointer, which is the handle.
template <class P>
inline constexpr bool keeps_storage = std::is_pointer_v<decltype(std::declval<P&>().create(
    std::uint64_t{}, std::declval<const StorageRequest&>()))>;

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
concept MapsStorage = requires(P& provider, StorageOf<P>& storage) {
  { provider.map(storage, std::uint32_t{}) } -> std::convertible_to<void*>;
};

template <class P>
concept KnowsFacts = !keeps_storage<P> || requires(const StorageOf<P>& storage) {
  { P::facts(storage) }
  noexcept->std::same_as<StorageFacts>;
};

// Fails to compile with one sentence that names the first member that a provider class lacks; true when
// it lacks none.
template <class P>
consteval bool require_provider() {
  if constexpr (!OpensWithOptions<P>) {
    static_assert(OpensWithOptions<P>,
                  "A provider class needs a public constructor (const tenure::sdk::Host&, "
                  "tenure::sdk::OpenOptions&).");
    return false;
  } else if constexpr (!NamesDomains<P>) {
    static_assert(NamesDomains<P>,
                  "A provider class needs a public member domains() const that returns its "
                  "std::vector<tenure::sdk::Domain>.");
    return false;
  } else if constexpr (!CreatesStorage<P>) {
    static_assert(
        CreatesStorage<P>,
        "A provider class needs a public member create(std::uint64_t domain, const "
        "tenure::sdk::StorageRequest&) that returns a Storage class of yours, by value or by pointer.");
    return false;
  } else if constexpr (!ReleasesStorage<P>) {
    static_assert(ReleasesStorage<P>,
                  "A provider class needs a public member release(Storage&) noexcept, where Storage is what "
                  "create returns; a tenure_stream* may follow.");
    return false;
  } else if constexpr (!MapsStorage<P>) {
    static_assert(MapsStorage<P>,
                  "A provider class needs a public member map(Storage&, std::uint32_t access) that returns a "
                  "host address as void*, where Storage is what create returns.");
    return false;
  } else if constexpr (!KnowsFacts<P>) {
    static_assert(KnowsFacts<P>,
                  "A provider class whose create returns a pointer needs a public static member facts(const "
                  "Storage&) noexcept that returns a tenure::sdk::StorageFacts.");
    return false;
  } else {
    return true;
  }
}

}  // namespace tenure::sdk
#pragma GCC visibility pop
