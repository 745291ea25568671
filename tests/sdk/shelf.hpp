// SPDX-License-Identifier: Apache-2.0
// shelf: a test provider with a domain of each kind, whose storage the glue keeps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

#include "tenure/sdk/provider.hpp"

namespace tenure_test {

class Shelf {
 public:
  enum Place : std::uint64_t {
    pageable,
    managed,
    mapped,
    device
  };

  struct Storage {
    Storage(std::uint64_t where, std::uint64_t bytes, std::uint64_t alignment_bytes)
        : domain(where),
          alignment(std::align_val_t{alignment_bytes}),
          address(::operator new(bytes, alignment)) {}
    Storage(std::uint64_t where, void* memory)
        : domain(where), alignment(), address(memory), is_imported(true) {}
    Storage(const Storage&) = delete;  // the glue must not need to move it
    Storage& operator=(const Storage&) = delete;

    std::uint64_t domain;
    std::align_val_t alignment;
    void* address;
    bool is_imported = false;
  };

  Shelf(const tenure::sdk::Host&, tenure::sdk::OpenOptions& options)
      : maps_fail(options.boolean("maps_fail", false)) {}

  std::vector<tenure::sdk::Domain> domains() const {
    namespace sdk = tenure::sdk;
    return {
        {.name = "shelf:0/pageable", .memory = TENURE_MEMORY_PAGEABLE, .access = sdk::coherent_host_access},
        {.name = "shelf:0/managed",
         .memory = TENURE_MEMORY_MANAGED,
         .access = sdk::coherent_host_access | TENURE_ACCESS_DEVICE,
         .alignment_bytes_min = 256,
         .storage_bytes_max = 1u << 20},
        {.name = "shelf:0/mapped", .memory = TENURE_MEMORY_SHARED, .access = sdk::mapped_host_access},
        {.name = "shelf:0/device", .memory = TENURE_MEMORY_DEVICE, .access = TENURE_ACCESS_DEVICE}};
  }

  Storage create(std::uint64_t domain, const tenure::sdk::StorageRequest& request) {
    last_request = request;
    if (request.bytes == refused_bytes) throw std::bad_alloc();
    ++alive;
    return {domain, request.bytes, request.alignment_bytes};
  }
  Storage import_memory(std::uint64_t domain, const tenure_import_desc& desc) {
    if (domain != mapped) throw tenure::sdk::Error(TENURE_UNIMPLEMENTED, "only shelf:0/mapped imports");
    ++alive;
    return {domain, desc.address};
  }
  void release(Storage& storage) noexcept {
    --alive;
    if (!storage.is_imported) ::operator delete(storage.address, storage.alignment);
  }
  void* map(Storage& storage, std::uint32_t access) {
    ++map_calls;
    last_access = access;
    return maps_fail ? nullptr : storage.address;
  }
  void unmap(Storage&, std::uint32_t) noexcept { ++unmap_calls; }

  static constexpr std::uint64_t refused_bytes = 12'345;

  tenure::sdk::StorageRequest last_request;
  int alive = 0;
  std::uint32_t last_access = 0;
  int map_calls = 0;
  int unmap_calls = 0;
  bool maps_fail;
};

}  // namespace tenure_test
