// SPDX-License-Identifier: Apache-2.0
#include "loader/host_services.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>

#include "loader/noted_copies.hpp"
#include "loader/thread_index.hpp"
#include "tenure/abi/struct_head.hpp"
#include "tenure/base/log.hpp"

// What the contract leaves to the core.
struct tenure_host_context {
  std::string provider_id;
};

namespace tenure::inline TENURE_BUILD {

namespace {

std::atomic<bool> exiting{false};
thread_local NotedCopies copies_of_this_thread;

void host_log(tenure_host_context* context, std::int32_t level, tenure_string line) noexcept {
  try {
    std::string text = context->provider_id + ": ";
    if (line.data != nullptr) text.append(line.data, line.bytes);
    // Only the numbers of the contract mean something; an unknown one is taken for the least urgent.
    const bool known = level >= TENURE_LOG_ERROR && level <= TENURE_LOG_DEBUG;
    log(known ? static_cast<LogLevel>(level) : LogLevel::debug, text);
  } catch (...) {
    // No memory for the line: the provider is not to fail because of it.
  }
}

void* host_allocate(tenure_host_context*, std::uint64_t bytes, std::uint64_t alignment_bytes) noexcept {
  if (!std::has_single_bit(alignment_bytes)) return nullptr;
  void* address = nullptr;
  const std::size_t alignment = std::max<std::size_t>(alignment_bytes, sizeof(void*));
  const std::size_t size = std::max<std::size_t>(bytes, 1);
  return ::posix_memalign(&address, alignment, size) == 0 ? address : nullptr;
}

void host_free(tenure_host_context*, void* address) noexcept { std::free(address); }

std::int32_t host_is_exiting(tenure_host_context*) noexcept { return exiting.load() ? 1 : 0; }

std::uint32_t host_thread_index(tenure_host_context*) noexcept { return thread_index(); }

void host_note_copy(tenure_host_context*, std::uint64_t bytes) noexcept {
  ++copies_of_this_thread.calls;
  copies_of_this_thread.bytes += bytes;
}

const void* host_get_extension(tenure_host_context*, const char*) noexcept { return nullptr; }

struct Services {
  explicit Services(const std::string& provider_id)
      : context{provider_id}, table(abi::make_struct<tenure_host>()) {
    table.abi_major = TENURE_ABI_MAJOR;
    table.abi_minor = TENURE_ABI_MINOR;
    table.context = &context;
    table.log = &host_log;
    table.allocate = &host_allocate;
    table.free = &host_free;
    table.is_exiting = &host_is_exiting;
    table.thread_index = &host_thread_index;
    table.note_copy = &host_note_copy;
    table.get_extension = &host_get_extension;
  }
  Services(const Services&) = delete;
  Services& operator=(const Services&) = delete;

  tenure_host_context context;
  tenure_host table;
};

struct AllServices {
  AllServices() {
    std::atexit([] { exiting.store(true); });
  }

  std::mutex mutex;
  std::map<std::string, std::unique_ptr<Services>> by_provider;
};

}  // namespace

const tenure_host& host_services_of(const std::string& provider_id) {
  static AllServices& all = *new AllServices;
  const std::lock_guard lock(all.mutex);
  auto& services = all.by_provider[provider_id];
  if (!services) services = std::make_unique<Services>(provider_id);
  return services->table;
}

NotedCopies noted_copies() noexcept { return copies_of_this_thread; }

}  // namespace tenure::inline TENURE_BUILD
