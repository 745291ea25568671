// SPDX-License-Identifier: Apache-2.0
// host: what the core lends to a provider.
#pragma once

#include <cstdint>
#include <string_view>

#include "tenure/provider_abi.h"
#include "tenure/sdk/text.hpp"

#pragma GCC visibility push(hidden)
namespace tenure::sdk {

// The host's functions. Copying is copying a pointer; the table lives as long as the process. A function
// that an older host does not have is answered here. Call them with no lock held.
class Host {
 public:
  static constexpr std::uint32_t no_thread_index = UINT32_MAX;

  // `table` is not null.
  explicit Host(const tenure_host* table) noexcept : table_(table) {}

  // Hands one line of text to the host's log. `level` is TENURE_LOG_*.
  void log(std::int32_t level, std::string_view line) const noexcept {
    if (TENURE_HAS_MEMBER(table_, tenure_host, log)) table_->log(table_->context, level, to_c(line));
  }
  // Scratch memory, null when refused; given back with `free`. `alignment_bytes` is a power of two.
  void* allocate(std::uint64_t bytes, std::uint64_t alignment_bytes) const noexcept {
    if (!TENURE_HAS_MEMBER(table_, tenure_host, free)) return nullptr;
    return table_->allocate(table_->context, bytes, alignment_bytes);
  }
  void free(void* address) const noexcept {
    if (TENURE_HAS_MEMBER(table_, tenure_host, free)) table_->free(table_->context, address);
  }
  // Whether the process has begun to exit, so that drivers must be left alone.
  bool is_exiting() const noexcept {
    return TENURE_HAS_MEMBER(table_, tenure_host, is_exiting) && table_->is_exiting(table_->context) != 0;
  }
  // A small number, unique among living threads; no_thread_index from a host that has none.
  std::uint32_t thread_index() const noexcept {
    if (!TENURE_HAS_MEMBER(table_, tenure_host, thread_index)) return no_thread_index;
    return table_->thread_index(table_->context);
  }
  // Reports bytes copied beyond what was asked for, such as staging.
  void note_copy(std::uint64_t bytes) const noexcept {
    if (TENURE_HAS_MEMBER(table_, tenure_host, note_copy)) table_->note_copy(table_->context, bytes);
  }
  // A table of the host's under an extension id, or null.
  const void* extension(const char* id) const noexcept {
    if (!TENURE_HAS_MEMBER(table_, tenure_host, get_extension)) return nullptr;
    return table_->get_extension(table_->context, id);
  }
  const tenure_host* table() const noexcept { return table_; }

 private:
  const tenure_host* table_;
};

}  // namespace tenure::sdk
#pragma GCC visibility pop
