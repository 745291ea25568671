// SPDX-License-Identifier: Apache-2.0
#include "memory/block_storage.hpp"

#include <algorithm>
#include <memory>
#include <string>

#include "memory/provider_status.hpp"
#include "tenure/abi/checked_math.hpp"
#include "tenure/abi/struct_head.hpp"
#include "tenure/base/out_of_memory.hpp"
#include "tenure/base/validation_error.hpp"

namespace tenure::inline TENURE_BUILD {
namespace {

template <LiveKind Kind>
void release_block(void* payload, std::size_t bytes) noexcept {
  const Block block = *static_cast<const Block*>(payload);
  delete block.record;
  block.instance->api().storage_release(block.instance->handle(), block.handle, nullptr);
  block.instance->release(Kind, bytes);
}

constexpr StorageSource block_table{release_block<LiveKind::storage>, nullptr};
constexpr StorageSource extracted_table{release_block<LiveKind::extracted>, nullptr};

std::string attempt_of(const BlockRequest& request) {
  return "making " + std::to_string(request.bytes) + " bytes in " + request.domain.name;
}

void check_request(const BlockRequest& request) {
  if (request.alignment_bytes != 0 && !abi::is_power_of_two(request.alignment_bytes)) {
    throw ValidationError(std::string(request.operation),
                          InvalidArgument{"alignment_bytes", std::to_string(request.alignment_bytes) +
                                                                 " is not a power of two; give one, or 0"});
  }
  if (request.bytes > request.domain.storage_bytes_max) {
    throw ValidationError(
        std::string(request.operation),
        InvalidArgument{"bytes", std::to_string(request.bytes) + " is more than the " +
                                     std::to_string(request.domain.storage_bytes_max) + " bytes that " +
                                     request.domain.name + " makes at once; work in smaller pieces"});
  }
}

std::optional<OutOfMemory::PoolSnapshot> snapshot(const BlockRequest& request) {
  if (request.pool == nullptr) return std::nullopt;
  auto statistics = abi::make_struct<tenure_pool_statistics>();
  if (request.domain.instance->pool_api()->statistics(request.pool, &statistics, nullptr) != TENURE_OK) {
    return std::nullopt;
  }
  return OutOfMemory::PoolSnapshot{statistics.buffers, statistics.capacity_bytes, statistics.live_count,
                                   statistics.live_bytes};
}

// Throws what the provider's answer means. Nothing is to be given back then.
tenure_storage_info ask_provider(const BlockRequest& request) {
  InstanceControl& instance = *request.domain.instance;
  auto info = abi::make_struct<tenure_storage_info>();
  ProviderStatus status;
  std::int32_t code = TENURE_OK;
  if (request.pool != nullptr) {
    code = instance.pool_api()->acquire(request.pool, request.bytes, request.alignment_bytes, &info,
                                        status.get());
  } else {
    auto desc = abi::make_struct<tenure_storage_desc>();
    desc.bytes = request.bytes;
    desc.alignment_bytes = request.alignment_bytes;
    code = instance.api().storage_create(instance.handle(), request.domain.index, &desc, &info, status.get());
  }
  if (code == TENURE_OK) return info;
  const ProviderError error = status.error(request.operation, instance, attempt_of(request), code);
  if (code != TENURE_RESOURCE_EXHAUSTED) throw error;
  throw OutOfMemory(std::string(request.operation), request.bytes, request.domain.name, snapshot(request),
                    std::make_shared<const ProviderError>(error));
}

// Plain host memory has no identity and no record.
bool is_plain_host(const BlockRequest& request, const tenure_storage_info& info) noexcept {
  return request.domain.memory == TENURE_MEMORY_PAGEABLE && info.allocation_id == 0;
}

// What is wrong with the block that the provider reports, or nothing.
std::string find_lie(const BlockRequest& request, const tenure_storage_info& info) {
  if (info.bytes < request.bytes) return "the block has only " + std::to_string(info.bytes) + " bytes";
  if (info.allocation_id == 0 && request.domain.memory != TENURE_MEMORY_PAGEABLE) {
    return "the block has no allocation id, which only pageable host memory may lack";
  }
  if (info.address == nullptr) {
    return is_plain_host(request, info) ? "the block of plain host memory has no address" : "";
  }
  const std::uint64_t alignment =
      std::max<std::uint64_t>(request.alignment_bytes, request.domain.alignment_bytes_min);
  const std::uint64_t low_bits = reinterpret_cast<std::uintptr_t>(info.address) & (alignment - 1);
  if (low_bits == 0) return "";
  return "its address is " + std::to_string(low_bits) + " bytes off the alignment of " +
         std::to_string(alignment);
}

[[noreturn]] void throw_lie(const BlockRequest& request, const std::string& lie) {
  throw ProviderError(std::string(request.operation), request.domain.instance->provider_id(), TENURE_INTERNAL,
                      attempt_of(request) + ": the provider reported success, but " + lie +
                          "; the block is not used. provider-probe check finds such defects");
}

// What has been retained but does not live yet; the destructor undoes it.
class Retained {
 public:
  explicit Retained(const BlockRequest& request) : request_(request) {
    request.domain.instance->retain(LiveKind::storage, request.bytes);
  }
  Retained(const Retained&) = delete;
  Retained& operator=(const Retained&) = delete;
  ~Retained() {
    if (kept_) return;
    InstanceControl& instance = *request_.domain.instance;
    if (handle_ != nullptr) instance.api().storage_release(instance.handle(), handle_, nullptr);
    instance.release(LiveKind::storage, request_.bytes);
  }
  void owns(tenure_storage* handle) noexcept { handle_ = handle; }
  void keep() noexcept { kept_ = true; }

 private:
  const BlockRequest& request_;
  tenure_storage* handle_ = nullptr;
  bool kept_ = false;
};

}  // namespace

Storage BlockStorage::make(const BlockRequest& request) {
  check_request(request);
  Storage storage;
  if (request.bytes == 0) return storage;
  Retained retained(request);
  const tenure_storage_info info = ask_provider(request);
  if (info.storage == nullptr) throw_lie(request, "there is no storage");
  retained.owns(info.storage);
  const std::string lie = find_lie(request, info);
  if (!lie.empty()) throw_lie(request, lie);

  Block block{request.domain.instance, info.storage, nullptr};
  if (is_plain_host(request, info)) {
    storage.address_ = static_cast<std::byte*>(info.address);
  } else {
    block.record = new AllocationRecord(request.domain, info, request.bytes, request.alignment_bytes);
    storage.address_ = block.record->coherent_address;
    storage.record_ = block.record;
  }
  ::new (static_cast<void*>(storage.payload_)) Block(block);
  storage.bytes_ = request.bytes;
  storage.source_ = &block_table;
  retained.keep();
  return storage;
}

const Block* BlockStorage::block_of(const Storage& storage) noexcept {
  if (storage.source_ != &block_table && storage.source_ != &extracted_table) return nullptr;
  return std::launder(reinterpret_cast<const Block*>(storage.payload_));
}

void BlockStorage::extract(Storage& storage) noexcept {
  if (storage.source_ != &block_table) return;
  const Block& block = *block_of(storage);
  if (const tenure_pool_api* pools = block.instance->pool_api()) {
    pools->detach(block.instance->handle(), block.handle);
  }
  block.instance->convert(LiveKind::storage, LiveKind::extracted, storage.bytes());
  storage.source_ = &extracted_table;
}

void BlockStorage::forget(Storage& storage) noexcept {
  const Block block = *block_of(storage);
  delete block.record;
  block.instance->release(storage.source_ == &block_table ? LiveKind::storage : LiveKind::extracted,
                          storage.bytes());
  storage.source_ = nullptr;
  storage.address_ = nullptr;
  storage.bytes_ = 0;
  storage.record_ = nullptr;
}

}  // namespace tenure::inline TENURE_BUILD
