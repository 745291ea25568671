// SPDX-License-Identifier: Apache-2.0
// thread_ledger: the counters that the core's layers add to.
#pragma once

#include "tenure/memory/ledger.hpp"

namespace tenure::inline TENURE_BUILD {

// The calling thread's. The TLS model makes an addition one instruction; the library's few bytes fit into
// the space that the C library reserves for images that are loaded later.
[[gnu::tls_model("initial-exec")]] extern constinit thread_local LedgerCounts thread_ledger;

}  // namespace tenure::inline TENURE_BUILD
