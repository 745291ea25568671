// SPDX-License-Identifier: Apache-2.0
#include "tenure/memory/ledger.hpp"

#include "loader/noted_copies.hpp"
#include "memory/thread_ledger.hpp"

namespace tenure::inline TENURE_BUILD {

constinit thread_local LedgerCounts thread_ledger;

LedgerCounts Ledger::of_this_thread() noexcept {
  LedgerCounts counts = thread_ledger;
  counts.bytes_staged = noted_copies().bytes;
  return counts;
}

}  // namespace tenure::inline TENURE_BUILD
