// SPDX-License-Identifier: Apache-2.0
// violation: what a user of a block did wrong, and who is told.
#pragma once

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#pragma GCC visibility push(hidden)
namespace tenure::sdk::pool {

enum class ViolationKind : std::uint8_t {
  written_before_block,
  written_behind_block,
  released_twice,
};

struct Violation {
  ViolationKind kind;
  const void* address;        // of the block
  std::uint64_t bytes;        // of the block
  std::int64_t offset_bytes;  // of the first damaged byte from the block's start
};

constexpr const char* violation_text(ViolationKind kind) noexcept {
  switch (kind) {
    case ViolationKind::written_before_block:
      return "written before its first byte";
    case ViolationKind::written_behind_block:
      return "written behind its last byte";
    case ViolationKind::released_twice:
      return "released twice";
  }
  return "used wrongly";
}

// Prints one line to the standard error and ends the process.
[[noreturn]] inline void abort_on_violation(void*, const Violation& violation) noexcept {
  std::fprintf(stderr, "tenure pool: block at %p of %" PRIu64 " bytes was %s (offset %" PRId64 ")\n",
               violation.address, violation.bytes, violation_text(violation.kind), violation.offset_bytes);
  std::abort();
}

// Called on the thread that releases the block, without a lock. When it returns, a damaged block is
// freed instead of kept and a second release does nothing.
struct ViolationHandler {
  void (*function)(void* context, const Violation&) noexcept = &abort_on_violation;
  void* context = nullptr;

  void operator()(const Violation& violation) const noexcept { function(context, violation); }
};

}  // namespace tenure::sdk::pool
#pragma GCC visibility pop
