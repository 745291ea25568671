// SPDX-License-Identifier: Apache-2.0
// provider_check: what the compiler says, in one sentence, of a class that is no provider.
#pragma once

#include "tenure/sdk/provider_concept.hpp"

#pragma GCC visibility push(hidden)
namespace tenure::sdk {

// Fails to compile with the first member that P must have and lacks, or with the first optional member that
// P has in a form that the glue would not find. True for a provider class.
template <class P>
consteval bool check_provider() {
  if constexpr (!OpensWithOptions<P>) {
    static_assert(OpensWithOptions<P>,
                  "A provider class needs a public constructor (const tenure::sdk::Host&, "
                  "tenure::sdk::OpenOptions&).");
  } else if constexpr (!NamesDomains<P>) {
    static_assert(NamesDomains<P>,
                  "A provider class needs a public member domains() const that returns its "
                  "std::vector<tenure::sdk::Domain>.");
  } else if constexpr (!CreatesStorage<P>) {
    static_assert(
        CreatesStorage<P>,
        "A provider class needs a public member create(std::uint64_t domain, const "
        "tenure::sdk::StorageRequest&) that returns a Storage class of yours, by value or by pointer.");
  } else if constexpr (!ReleasesStorage<P>) {
    static_assert(ReleasesStorage<P>,
                  "A provider class needs a public member release(Storage&) noexcept, where Storage is what "
                  "create returns; a tenure_stream* may follow.");
  } else if constexpr (!MapsStorage<P>) {
    static_assert(MapsStorage<P>,
                  "A provider class needs a public member map(Storage&, std::uint32_t access) that returns a "
                  "host address as void*, where Storage is what create returns.");
  } else if constexpr (!KnowsFacts<P>) {
    static_assert(KnowsFacts<P>,
                  "A provider class whose create returns a pointer needs a public static member facts(const "
                  "Storage&) noexcept that returns a tenure::sdk::StorageFacts.");
  } else if constexpr (requires { &P::devices; } && !NamesDevices<P>) {
    static_assert(NamesDevices<P>, "devices() const returns a std::vector<tenure::sdk::Device>.");
  } else if constexpr (requires { &P::why_unavailable; } && !SaysWhyUnavailable<P>) {
    static_assert(SaysWhyUnavailable<P>,
                  "why_unavailable is static, takes a const tenure::sdk::Host& and returns a std::string.");
  } else if constexpr (requires { &P::unmap; } && !UnmapsStorage<P>) {
    static_assert(UnmapsStorage<P>, "unmap takes (Storage&, std::uint32_t access) and is noexcept.");
  } else if constexpr (requires { &P::import_memory; } && !ImportsMemory<P>) {
    static_assert(
        ImportsMemory<P>,
        "import_memory takes (std::uint64_t domain, const tenure_import_desc&) and returns what create "
        "returns.");
  } else if constexpr (requires { &P::statistics; } && !CountsStatistics<P>) {
    static_assert(CountsStatistics<P>,
                  "statistics takes a std::uint64_t domain and returns a tenure_domain_statistics.");
  } else if constexpr (requires { &P::can_copy; } && !DecidesCopies<P>) {
    static_assert(
        DecidesCopies<P>,
        "can_copy takes (std::uint64_t source_domain, std::uint64_t target_domain), is noexcept and "
        "returns a bool.");
  } else if constexpr (requires { &P::copy; } && !CopiesMemory<P>) {
    static_assert(CopiesMemory<P>, "copy takes (const tenure_copy_desc&, tenure_stream*).");
  } else if constexpr (requires { &P::fill; } && !FillsMemory<P>) {
    static_assert(FillsMemory<P>, "fill takes (const tenure_fill_desc&, tenure_stream*).");
  } else if constexpr (requires { &P::trim; } && !TrimsMemory<P>) {
    static_assert(
        TrimsMemory<P>,
        "trim takes (std::uint64_t domain, std::uint64_t retained_bytes), is noexcept and returns a "
        "std::uint64_t.");
  } else if constexpr (requires { &P::extension; } && !OffersExtensions<P>) {
    static_assert(OffersExtensions<P>,
                  "extension takes a std::string_view id, is noexcept and returns a const void*.");
  } else if constexpr (requires { &P::create_pool; } && !MakesPools<P>) {
    static_assert(MakesPools<P>,
                  "create_pool takes (std::uint64_t domain, const tenure_pool_options&) and returns a "
                  "std::unique_ptr to your pool.");
  } else if constexpr (requires { &P::create_engine; } && !MakesEngines<P>) {
    static_assert(MakesEngines<P>,
                  "create_engine takes a const tenure_engine_options& and returns a std::unique_ptr to your "
                  "engine.");
  } else if constexpr (requires { &P::faults; } && !HasFaults<P>) {
    static_assert(HasFaults<P>, "faults() is noexcept and returns a tenure::sdk::FaultList&.");
  } else {
    return true;
  }
  return false;
}

}  // namespace tenure::sdk
#pragma GCC visibility pop
