// SPDX-License-Identifier: Apache-2.0
#include "fake_domain.hpp"

#include <utility>

namespace tenure::fake {
namespace {

// DLPack's number for a device that it does not know.
constexpr std::int32_t dlpack_extension_device = 12;

}  // namespace

std::vector<sdk::Domain> make_domain_list(std::uint64_t memory_bytes) {
  sdk::Domain managed{.name = "fake:0/managed",
                      .memory = TENURE_MEMORY_MANAGED,
                      .access = sdk::coherent_host_access | TENURE_ACCESS_DEVICE,
                      .dlpack_type = dlpack_extension_device,
                      .storage_bytes_max = memory_bytes,
                      .total_bytes = memory_bytes,
                      .quota_bytes = memory_bytes};
  sdk::Domain managed_noncoherent = managed;
  managed_noncoherent.name = "fake:0/managed-noncoherent";
  managed_noncoherent.access = sdk::mapped_host_access;
  sdk::Domain device = managed;
  device.name = "fake:0/device";
  device.memory = TENURE_MEMORY_DEVICE;
  device.access = TENURE_ACCESS_DEVICE;
  return {std::move(managed), std::move(managed_noncoherent), std::move(device)};
}

bool can_copy(const sdk::Domain* source, const sdk::Domain* target) noexcept {
  constexpr std::uint32_t host_access = sdk::mapped_host_access | TENURE_ACCESS_DEVICE;
  const std::uint32_t source_access = source == nullptr ? host_access : source->access;
  const std::uint32_t target_access = target == nullptr ? host_access : target->access;
  const bool by_host =
      (source_access & TENURE_ACCESS_HOST_READ) != 0 && (target_access & TENURE_ACCESS_HOST_WRITE) != 0;
  const bool by_device = (source_access & target_access & TENURE_ACCESS_DEVICE) != 0;
  return by_host || by_device;
}

FakeDomain::FakeDomain(std::uint64_t index, sdk::Domain facts) : index_(index), facts_(std::move(facts)) {}

void* FakeDomain::acquire(std::uint64_t bytes, std::uint64_t alignment_bytes) noexcept {
  std::uint64_t reserved = reserved_bytes_.load(std::memory_order_relaxed);
  do {
    if (bytes > facts_.quota_bytes - reserved) return nullptr;
  } while (!reserved_bytes_.compare_exchange_weak(reserved, reserved + bytes, std::memory_order_relaxed));
  void* const address = host_memory_.acquire(bytes, alignment_bytes);
  if (address == nullptr) reserved_bytes_.fetch_sub(bytes, std::memory_order_relaxed);
  return address;
}

void FakeDomain::release(void* address, std::uint64_t bytes, std::uint64_t alignment_bytes) noexcept {
  host_memory_.release(address, bytes, alignment_bytes);
  reserved_bytes_.fetch_sub(bytes, std::memory_order_relaxed);
}

void FakeDomain::count_made(std::uint64_t bytes, bool by_pool) noexcept {
  all_.add_created(bytes);
  if (by_pool) pool_calls_.add_created(0);
}

void FakeDomain::count_released(std::uint64_t bytes, bool by_pool) noexcept {
  all_.add_released(bytes);
  if (by_pool) pool_calls_.add_released(0);
}

tenure_domain_statistics FakeDomain::statistics() const noexcept {
  // The part before the whole, which may only have grown since.
  const tenure_domain_statistics pool_calls = pool_calls_.snapshot();
  tenure_domain_statistics statistics = all_.snapshot();
  statistics.create_calls -= pool_calls.create_calls;
  statistics.release_calls -= pool_calls.release_calls;
  statistics.reserved_bytes = reserved_bytes_.load(std::memory_order_relaxed);
  return statistics;
}

}  // namespace tenure::fake
