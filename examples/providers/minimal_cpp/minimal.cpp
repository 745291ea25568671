// SPDX-License-Identifier: Apache-2.0
// minimal: a complete provider. It lends host memory that the device sees without a transfer.
#include <cstdint>
#include <new>
#include <vector>

#include "tenure/sdk/provider.hpp"

namespace {

namespace sdk = tenure::sdk;

class Minimal {
 public:
  // What this provider remembers of one allocation. Sizes, identity and statistics are kept by the SDK.
  struct Storage {
    void* address;
    std::align_val_t alignment;
  };

  Minimal(const sdk::Host&, sdk::OpenOptions&) {}

  std::vector<sdk::Domain> domains() const {
    return {
        {.name = "minimal:0/shared", .memory = TENURE_MEMORY_SHARED, .access = sdk::coherent_host_access}};
  }

  Storage create(std::uint64_t /*domain*/, const sdk::StorageRequest& request) {
    const auto alignment = std::align_val_t{request.alignment_bytes};
    void* const address = ::operator new(request.bytes, alignment, std::nothrow);
    if (address == nullptr) throw sdk::Error(TENURE_RESOURCE_EXHAUSTED, "the system has no such memory");
    return {address, alignment};
  }

  void release(Storage& storage) noexcept { ::operator delete(storage.address, storage.alignment); }

  void* map(Storage& storage, std::uint32_t /*access*/) { return storage.address; }
};

}  // namespace

TENURE_PROVIDER(Minimal, "org.tenure.example.minimal-cpp", "Minimal C++ example", "0.1.0", "Tenure",
                TENURE_NOTE_FORK_SAFE);
