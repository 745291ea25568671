// SPDX-License-Identifier: Apache-2.0
#include "fake_maps.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "tenure/provider_abi.h"
#include "tenure/sdk/domain.hpp"
#include "tenure/sdk/error.hpp"

namespace tenure::fake {
namespace {

bool writes(std::uint32_t access) noexcept { return (access & TENURE_ACCESS_HOST_WRITE) != 0; }

[[noreturn]] void refuse(const std::string& operation, const std::string& conflict) {
  throw sdk::Error(TENURE_FAILED_PRECONDITION,
                   operation + " is refused while " + conflict + "; end that first",
                   {.flags = TENURE_STATUS_RETRYABLE});
}

}  // namespace

void FakeMaps::Free::operator()(std::byte* address) const noexcept { std::free(address); }

std::string FakeMaps::find_map_conflict(std::uint32_t access) const {
  if (has_writer_) return "a write map is alive";
  if (writes(access) && readers_ != 0) return std::to_string(readers_) + " read maps are alive";
  return {};
}

std::string FakeMaps::find_transfer_conflict(std::uint32_t access) const {
  if (writing_transfers_ != 0) return std::to_string(writing_transfers_) + " transfers write to it";
  if (writes(access) && reading_transfers_ != 0) {
    return std::to_string(reading_transfers_) + " transfers read from it";
  }
  return {};
}

void FakeMaps::require_no_conflict(std::uint32_t access, const char* operation) const {
  std::string conflict = find_map_conflict(access);
  if (conflict.empty()) conflict = find_transfer_conflict(access);
  if (!conflict.empty()) refuse(operation, conflict);
}

void* FakeMaps::begin(const MappedMemory& memory, std::uint32_t access) {
  const std::lock_guard lock(mutex_);
  require_no_conflict(access, writes(access) ? "a write map" : "a read map");
  if (!memory.is_coherent && window_ == nullptr) {
    // The system refuses alignments below that of a pointer; memory of the user's may have less.
    const std::uint64_t alignment_bytes = std::max<std::uint64_t>(memory.alignment_bytes, sizeof(void*));
    void* window = nullptr;
    if (posix_memalign(&window, alignment_bytes, memory.bytes) != 0) {
      throw sdk::Error(TENURE_RESOURCE_EXHAUSTED,
                       "no host memory for a map of " + std::to_string(memory.bytes) + " bytes");
    }
    std::memcpy(window, memory.address, memory.bytes);
    window_.reset(static_cast<std::byte*>(window));
  }
  if (writes(access)) {
    has_writer_ = true;
  } else {
    ++readers_;
  }
  return memory.is_coherent ? memory.address : window_.get();
}

bool FakeMaps::end(const MappedMemory& memory, std::uint32_t access) noexcept {
  const std::lock_guard lock(mutex_);
  if (writes(access)) {
    if (!has_writer_) return false;
    has_writer_ = false;
    if (window_ != nullptr) std::memcpy(memory.address, window_.get(), memory.bytes);
  } else {
    if (readers_ == 0) return false;
    --readers_;
  }
  if (readers_ == 0) window_.reset();
  return true;
}

void FakeMaps::begin_transfer(std::uint32_t access, const char* operation) {
  const std::lock_guard lock(mutex_);
  if (const std::string conflict = find_map_conflict(access); !conflict.empty()) refuse(operation, conflict);
  ++(writes(access) ? writing_transfers_ : reading_transfers_);
}

void FakeMaps::end_transfer(std::uint32_t access) noexcept {
  const std::lock_guard lock(mutex_);
  --(writes(access) ? writing_transfers_ : reading_transfers_);
}

void FakeMaps::require_idle(const char* operation) {
  const std::lock_guard lock(mutex_);
  require_no_conflict(sdk::mapped_host_access, operation);
}

bool FakeMaps::drop() noexcept {
  const std::lock_guard lock(mutex_);
  const bool had_any = has_writer_ || readers_ != 0;
  has_writer_ = false;
  readers_ = 0;
  window_.reset();
  return had_any;
}

}  // namespace tenure::fake
