// SPDX-License-Identifier: Apache-2.0
// host_upstream: ordinary host memory for a pool.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "tenure/sdk/pool/address_sanitizer.hpp"

#pragma GCC visibility push(hidden)
namespace tenure::sdk::pool {

// The C library up to 4 MiB; from there mappings of its own, aligned to huge pages and marked for them.
// Memory of the C library is never marked: the mark would outlive the block. Under AddressSanitizer all
// of it comes from the C library, which is watched.
class HostUpstream {
 public:
  static constexpr bool is_host_memory = true;
  static constexpr std::uint64_t mapping_bytes_min = std::uint64_t{4} << 20;
  static constexpr std::uint64_t huge_page_bytes = std::uint64_t{2} << 20;

  // Null when the system has no room. A size beyond the machine's memory is not even tried: the system
  // might promise it.
  void* acquire(std::uint64_t bytes, std::uint64_t alignment_bytes) noexcept {
    if (std::max(bytes, alignment_bytes) > memory_bytes_) return nullptr;
    if (is_mapped(bytes)) return map(bytes, std::max(alignment_bytes, huge_page_bytes));
    void* address = nullptr;
    return posix_memalign(&address, alignment_bytes, bytes) == 0 ? address : nullptr;
  }

  void release(void* address, std::uint64_t bytes, std::uint64_t) noexcept {
    if (is_mapped(bytes)) {
      munmap(address, bytes);
    } else {
      std::free(address);
    }
  }

  // The machine's memory; what it may use at once is less.
  static std::uint64_t memory_bytes() noexcept {
    return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * page_bytes();
  }

 private:
  static bool is_mapped(std::uint64_t bytes) noexcept {
    return !is_address_sanitized && bytes >= mapping_bytes_min;
  }

  // Maps up to one alignment more than needed and gives both ends back.
  static void* map(std::uint64_t bytes, std::uint64_t alignment_bytes) noexcept {
    const std::uint64_t mapped_bytes = bytes + alignment_bytes;
    void* mapped = mmap(nullptr, mapped_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) return nullptr;
    char* const first = static_cast<char*>(mapped);
    const std::uint64_t skipped_bytes = -reinterpret_cast<std::uintptr_t>(first) & (alignment_bytes - 1);
    char* const address = first + skipped_bytes;
    const std::uint64_t end = (skipped_bytes + bytes + page_bytes() - 1) & ~(page_bytes() - 1);
    if (skipped_bytes != 0) munmap(first, skipped_bytes);
    if (end < mapped_bytes) munmap(first + end, mapped_bytes - end);
    madvise(address, bytes, MADV_HUGEPAGE);
    return address;
  }

  static std::uint64_t page_bytes() noexcept { return static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)); }

  std::uint64_t memory_bytes_ = memory_bytes();
};

}  // namespace tenure::sdk::pool
#pragma GCC visibility pop
