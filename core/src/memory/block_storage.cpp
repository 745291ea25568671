// SPDX-License-Identifier: Apache-2.0
#include "memory/block_storage.hpp"

#include <algorithm>
#include <memory>
#include <string>

#include "memory/imported_memory.hpp"
#include "memory/provider_lie.hpp"
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
std::string attempt_of(const ImportRequest& request) {
  return "importing " + std::to_string(request.bytes) + " bytes into " + request.domain.name;
}

// What is thrown is made away from what runs each time, which is short and needs little room on the stack.
[[noreturn, gnu::cold]] void throw_alignment(const BlockRequest& request) {
  throw ValidationError(request.operation,
                        InvalidArgument{"alignment_bytes", std::to_string(request.alignment_bytes) +
                                                               " is not a power of two; give one, or 0"});
}
[[noreturn, gnu::cold]] void throw_too_large(const BlockRequest& request) {
  throw ValidationError(
      request.operation,
      InvalidArgument{"bytes", std::to_string(request.bytes) + " is more than the " +
                                   std::to_string(request.domain.storage_bytes_max) + " bytes that " +
                                   request.domain.name + " makes at once; work in smaller pieces"});
}

void check_request(const BlockRequest& request) {
  if ((request.alignment_bytes & (request.alignment_bytes - 1)) != 0) throw_alignment(request);
  if (request.bytes > request.domain.storage_bytes_max) throw_too_large(request);
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

[[noreturn, gnu::cold]] void throw_refusal(const BlockRequest& request, const ProviderStatus& status,
                                           std::int32_t code) {
  const ProviderError error =
      status.error(request.operation, *request.domain.instance, attempt_of(request), code);
  if (code != TENURE_RESOURCE_EXHAUSTED) throw error;
  throw OutOfMemory(request.operation, request.bytes, request.domain.name, snapshot(request),
                    std::make_shared<const ProviderError>(error));
}

// Throws what the provider's answer means. Nothing is to be given back then.
void ask_provider(const BlockRequest& request, tenure_storage_info& info) {
  InstanceControl& instance = *request.domain.instance;
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
  if (code != TENURE_OK) throw_refusal(request, status, code);
}

// Plain host memory has no identity and no record.
bool is_plain_host(const BlockRequest& request, const tenure_storage_info& info) noexcept {
  return request.domain.memory == TENURE_MEMORY_PAGEABLE && info.allocation_id == 0;
}

template <class Request>
[[noreturn, gnu::cold]] void throw_lie(const Request& request, std::string_view lie) {
  throw provider_lie(request.operation, *request.domain.instance, attempt_of(request), lie,
                     "the block is not used");
}
template <class Request>
[[noreturn, gnu::cold]] void throw_short(const Request& request, const tenure_storage_info& info) {
  throw_lie(request, "the block has only " + std::to_string(info.bytes) + " bytes");
}

[[noreturn, gnu::cold]] void throw_misaligned(const BlockRequest& request, std::uint64_t low_bits,
                                              std::uint64_t alignment_bytes) {
  throw_lie(request, "its address is " + std::to_string(low_bits) + " bytes off the alignment of " +
                         std::to_string(alignment_bytes));
}

// Throws when the block is not what was asked for.
void require_true(const BlockRequest& request, const tenure_storage_info& info) {
  if (info.bytes < request.bytes) throw_short(request, info);
  if (info.allocation_id == 0 && request.domain.memory != TENURE_MEMORY_PAGEABLE) {
    throw_lie(request, "the block has no allocation id, which only pageable host memory may lack");
  }
  if (info.address == nullptr && is_plain_host(request, info)) {
    throw_lie(request, "the block of plain host memory has no address");
  }
  const std::uint64_t alignment_bytes =
      std::max<std::uint64_t>(request.alignment_bytes, request.domain.alignment_bytes_min);
  const std::uint64_t low_bits = reinterpret_cast<std::uintptr_t>(info.address) & (alignment_bytes - 1);
  if (low_bits != 0) throw_misaligned(request, low_bits, alignment_bytes);
}

void require_true(const ImportRequest& request, const void* address, const tenure_storage_info& info) {
  if (info.bytes < request.bytes) throw_short(request, info);
  if (info.address != nullptr && info.address != address) throw_lie(request, "the block lies elsewhere");
  if (!abi::is_power_of_two(info.alignment_bytes) || info.alignment_bytes < request.alignment_bytes) {
    throw_lie(request, "its maps are aligned to " + std::to_string(info.alignment_bytes) +
                           " bytes, not the " + std::to_string(request.alignment_bytes) + " of its elements");
  }
}

void check_import(const ImportRequest& request, const DataPtr& pointer) {
  const std::string operation(request.operation);
  if (pointer.data() == nullptr) {
    throw ValidationError(operation, InvalidArgument{"pointer", "its data is null, but there are bytes"});
  }
  const auto address = reinterpret_cast<std::uintptr_t>(pointer.data());
  if (request.owned_bytes - 1 > UINTPTR_MAX - address) {
    throw ValidationError(operation, IntegerOverflow{"end of the memory"});
  }
  const std::size_t actual_bytes = alignment_at(static_cast<const std::byte*>(pointer.data()), nullptr);
  if (actual_bytes % request.alignment_bytes != 0) {
    throw ValidationError(operation, Misaligned{request.alignment_bytes, actual_bytes});
  }
  const InstanceControl& instance = *request.domain.instance;
  if (instance.api().storage_import != nullptr) return;
  throw ProviderError(operation, instance.provider_id(), TENURE_UNIMPLEMENTED,
                      attempt_of(request) + ": " + instance.provider_id() +
                          " imports no memory; from_data_ptr() adopts host memory");
}

// What has been retained but does not live yet; the destructor undoes it.
class Retained {
 public:
  Retained(InstanceControl& instance, std::size_t bytes) : instance_(instance), bytes_(bytes) {
    instance.retain(LiveKind::storage, bytes);
  }
  Retained(const Retained&) = delete;
  Retained& operator=(const Retained&) = delete;
  ~Retained() {
    if (kept_) return;
    if (handle_ != nullptr) instance_.api().storage_release(instance_.handle(), handle_, nullptr);
    instance_.release(LiveKind::storage, bytes_);
  }
  void owns(tenure_storage* handle) noexcept { handle_ = handle; }
  void keep() noexcept { kept_ = true; }

 private:
  InstanceControl& instance_;
  std::size_t bytes_;
  tenure_storage* handle_ = nullptr;
  bool kept_ = false;
};

}  // namespace

Storage BlockStorage::make(const BlockRequest& request) {
  check_request(request);
  if (request.bytes == 0) return {};
  Retained retained(*request.domain.instance, request.bytes);
  auto info = abi::make_struct<tenure_storage_info>();
  ask_provider(request, info);
  if (info.storage == nullptr) throw_lie(request, "there is no storage");
  retained.owns(info.storage);
  require_true(request, info);

  AllocationRecord* record = nullptr;
  if (!is_plain_host(request, info)) {
    const auto alignment = std::max<std::size_t>(request.alignment_bytes, request.domain.alignment_bytes_min);
    record = new AllocationRecord(request.domain, info, request.bytes, alignment);
  }
  retained.keep();
  return of_block({request.domain.instance, info.storage, record}, static_cast<std::byte*>(info.address),
                  request.bytes);
}

Storage BlockStorage::import(const ImportRequest& request, DataPtr&& pointer) {
  check_import(request, pointer);
  InstanceControl& instance = *request.domain.instance;
  Retained retained(instance, request.bytes);
  auto memory = std::make_unique<ImportedMemory>(request.operation, pointer.data(), request.owned_bytes,
                                                 request.domain);
  auto desc = abi::make_struct<tenure_import_desc>();
  desc.address = pointer.data();
  desc.bytes = request.bytes;
  desc.context = memory.get();
  desc.release = &ImportedMemory::release;
  auto info = abi::make_struct<tenure_storage_info>();
  ProviderStatus status;
  const std::int32_t code =
      instance.api().storage_import(instance.handle(), request.domain.index, &desc, &info, status.get());
  if (code != TENURE_OK) throw status.error(request.operation, instance, attempt_of(request), code);
  if (info.storage == nullptr) throw_lie(request, "there is no storage");
  // From here on the provider destroys it, which gives nothing back as long as it owns nothing.
  ImportedMemory& imported = *memory.release();
  retained.owns(info.storage);
  require_true(request, pointer.data(), info);
  if (info.allocation_id == 0) {
    throw ValidationError(request.operation, MissingAllocationIdentity{"allocation id"});
  }
  auto* const record = new AllocationRecord(request.domain, info, request.bytes,
                                            static_cast<std::size_t>(info.alignment_bytes));
  imported.own(std::move(pointer));
  retained.keep();
  return of_block({&instance, info.storage, record}, nullptr, request.bytes);
}

Storage BlockStorage::of_block(const Block& block, std::byte* address, std::size_t bytes) noexcept {
  Storage storage;
  ::new (static_cast<void*>(storage.payload_)) Block(block);
  storage.source_ = &block_table;
  storage.address_ = block.record == nullptr ? address : block.record->coherent_address;
  storage.bytes_ = bytes;
  storage.record_ = block.record;
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
