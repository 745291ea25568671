// SPDX-License-Identifier: Apache-2.0
// ledger: counts of what the core was asked for, so that "this copied nothing" can be tested.
#pragma once

#include <cstdint>

#include "tenure/config.h"

namespace tenure::inline TENURE_BUILD {

// Sums since some point, on one thread.
struct LedgerCounts {
  std::uint64_t owners_created = 0;  // tensors made or adopted, not moved
  std::uint64_t copies = 0;          // named copies
  std::uint64_t bytes_copied = 0;    // by named copies
  std::uint64_t bytes_staged = 0;    // copied by providers beyond what they were asked for, as they report it
  std::uint64_t mappings = 0;        // maps that a provider was asked for
  std::uint64_t waits = 0;           // calls that returned only when a provider's work was complete

  friend LedgerCounts operator-(const LedgerCounts& a, const LedgerCounts& b) noexcept {
    return {a.owners_created - b.owners_created, a.copies - b.copies,     a.bytes_copied - b.bytes_copied,
            a.bytes_staged - b.bytes_staged,     a.mappings - b.mappings, a.waits - b.waits};
  }
};

// The calling thread's counts since it began. Always on; a count costs one thread-local addition.
class Ledger {
 public:
  TENURE_API static LedgerCounts of_this_thread() noexcept;
};

// What the calling thread did since the scope began. Scopes nest; one is read on the thread that made it.
class LedgerScope {
 public:
  LedgerScope() noexcept : start_(Ledger::of_this_thread()) {}
  LedgerScope(const LedgerScope&) = delete;
  LedgerScope& operator=(const LedgerScope&) = delete;

  LedgerCounts counts() const noexcept { return Ledger::of_this_thread() - start_; }
  std::uint64_t owners_created() const noexcept { return counts().owners_created; }
  std::uint64_t copies() const noexcept { return counts().copies; }
  std::uint64_t bytes_copied() const noexcept { return counts().bytes_copied; }
  std::uint64_t bytes_staged() const noexcept { return counts().bytes_staged; }
  std::uint64_t mappings() const noexcept { return counts().mappings; }
  std::uint64_t waits() const noexcept { return counts().waits; }

 private:
  LedgerCounts start_;
};

}  // namespace tenure::inline TENURE_BUILD
