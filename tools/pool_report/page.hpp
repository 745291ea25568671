// SPDX-License-Identifier: Apache-2.0
// page: a snapshot of a pool as one page for a browser.
#pragma once

#include <string>

#include "tenure/memory/pool_snapshot.hpp"

namespace tenure::pool_report {

// A whole HTML document that needs nothing else, neither scripts nor other files.
std::string page(const PoolSnapshot& snapshot);

}  // namespace tenure::pool_report
