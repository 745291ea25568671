// SPDX-License-Identifier: Apache-2.0
// fake_provider: a provider in this process, whose calls are counted and which lies when a test asks it to.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "loader/instance_control.hpp"
#include "tenure/memory/allocation_domain.hpp"
#include "tenure/provider_pool.h"

namespace tenure_test {

// Not safe from several threads. It must outlive every storage that was made from it; the control block of
// its instance is never freed, as in the product.
class FakeProvider {
 public:
  enum Domain : std::uint64_t {
    pageable,   // plain host memory without identity
    managed,    // the host maps it; what it writes is seen by the device at the end of the map only
    coherent,   // the host reaches it without maps
    device,     // the host never reaches it
    read_only,  // the host maps it for reading only
    domain_count
  };
  struct Calls {
    int create = 0;
    int import = 0;
    int acquire = 0;
    int release = 0;
    int map = 0;
    int unmap = 0;
    int copy = 0;
    int detach = 0;
    int give_back = 0;
    int snapshot_release = 0;
    int close = 0;

    friend bool operator==(const Calls&, const Calls&) = default;
  };
  struct Lies {
    std::int32_t create_code = 0;  // create and acquire fail with it
    std::int32_t map_code = 0;
    std::int32_t copy_code = 0;
    std::int32_t import_code = 0;
    bool retryable = false;            // what fails may succeed later
    std::int32_t statistics_code = 0;  // of domains and pools
    bool null_storage = false;
    bool moved = false;         // an import lies elsewhere
    bool null_address = false;  // also of maps
    bool short_bytes = false;   // also of maps
    bool misaligned = false;    // also of maps
    bool no_identity = false;
  };
  enum class Pools {
    none,
    recycling,
    with_snapshots  // recycling, and giving `snapshot`
  };

  explicit FakeProvider(Pools pools = Pools::none);
  FakeProvider(const FakeProvider&) = delete;
  FakeProvider& operator=(const FakeProvider&) = delete;
  ~FakeProvider();

  tenure::InstanceControl& control() { return *control_; }
  tenure::AllocationDomain domain(Domain domain) {
    return tenure::AllocationDomain(&control_->domains()[domain]);
  }
  // What the device sees of a storage.
  std::byte* device_bytes(const tenure_storage* storage);
  std::size_t live_count() const { return storages_.size(); }
  // Copies between this pair are listed; all but those of `device` with the host are, at first.
  void list_copy(std::uint64_t source, std::uint64_t target, bool listed);

  Calls calls;
  Lies lies;
  std::function<void()> at_unmap;  // called while a map ends
  bool walks_strides = true;
  std::uint32_t pool_mode = 0;  // of the last pool that was made, and whether it was set
  bool pool_mode_is_set = false;
  std::uint64_t pool_retained_bytes_max = 0;
  std::uint64_t pool_trace_events_max = 0;
  const tenure_pool_snapshot* snapshot = nullptr;  // of every pool
  std::int32_t snapshot_code = 0;

 private:
  struct Table;  // the functions of the contract
  struct FakeStorage;
  struct FakePool;

  tenure_storage_info info_of(FakeStorage& storage) const;
  std::int32_t make(std::uint64_t domain, std::uint64_t bytes, std::uint64_t alignment_bytes, FakePool* pool,
                    tenure_storage_info* out, tenure_status* status);
  std::int32_t fail(std::int32_t code, std::string_view message, tenure_status* status) const;

  std::map<const void*, std::unique_ptr<FakeStorage>> storages_;  // alive, by handle
  std::map<const void*, std::unique_ptr<FakePool>> pools_;
  std::vector<std::vector<bool>> listed_;
  std::uint64_t last_id_ = 0;
  tenure::InstanceControl* control_;
};

}  // namespace tenure_test
