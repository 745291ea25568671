// SPDX-License-Identifier: Apache-2.0
#include "rules/host_table.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "tenure/abi/checked_math.hpp"
#include "tenure/abi/struct_head.hpp"

namespace tenure::probe {

namespace {

// The context of the table is this counter.
std::atomic<std::int64_t>& live_allocations(tenure_host_context* context) noexcept {
  return *reinterpret_cast<std::atomic<std::int64_t>*>(context);
}

void ignore_log(tenure_host_context*, std::int32_t, tenure_string) noexcept {}

void* allocate(tenure_host_context* context, std::uint64_t bytes, std::uint64_t alignment_bytes) noexcept {
  const std::uint64_t alignment = std::max<std::uint64_t>(alignment_bytes, alignof(std::max_align_t));
  std::uint64_t rounded = 0;
  if (!abi::is_power_of_two(alignment) ||
      !abi::checked_align_up(std::max<std::uint64_t>(bytes, 1), alignment, rounded)) {
    return nullptr;
  }
  void* address = std::aligned_alloc(alignment, rounded);
  if (address != nullptr) ++live_allocations(context);
  return address;
}

void release(tenure_host_context* context, void* address) noexcept {
  if (address != nullptr) --live_allocations(context);
  std::free(address);
}

std::int32_t is_exiting(tenure_host_context*) noexcept { return 0; }

std::uint32_t thread_index(tenure_host_context*) noexcept {
  static std::atomic<std::uint32_t> next = 0;
  thread_local const std::uint32_t index = next++;
  return index;
}

void ignore_copy(tenure_host_context*, std::uint64_t) noexcept {}

const void* no_extension(tenure_host_context*, const char*) noexcept { return nullptr; }

}  // namespace

HostTable::HostTable() noexcept {
  table_.known = {.head = abi::head_of<tenure_host>(),
                  .abi_major = TENURE_ABI_MAJOR,
                  .abi_minor = TENURE_ABI_MINOR,
                  .context = reinterpret_cast<tenure_host_context*>(&live_allocations_),
                  .log = ignore_log,
                  .allocate = allocate,
                  .free = release,
                  .is_exiting = is_exiting,
                  .thread_index = thread_index,
                  .note_copy = ignore_copy,
                  .get_extension = no_extension};
}

void HostTable::become_newer() noexcept {
  table_.known.head.bytes = sizeof table_;
  table_.known.abi_minor = TENURE_ABI_MINOR + 7;
  std::memset(table_.unknown, 0xA5, sizeof table_.unknown);
}

}  // namespace tenure::probe
