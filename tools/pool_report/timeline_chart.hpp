// SPDX-License-Identifier: Apache-2.0
// timeline_chart: reserved, live and idle bytes over the events of a trace, drawn.
#pragma once

#include <string>

#include "tenure/memory/pool_snapshot.hpp"

namespace tenure::pool_report {

// An SVG element for a page that defines the classes `reserved`, `live`, `idle`, `miss`, `evict`, `grid` and
// `axis`. Its length does not grow with the number of events beyond a few thousand. Needs one event or more.
std::string timeline_chart(const PoolSnapshot& snapshot);

}  // namespace tenure::pool_report
