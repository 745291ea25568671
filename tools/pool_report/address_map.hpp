// SPDX-License-Identifier: Apache-2.0
// address_map: the blocks of a pool in the order of their addresses, drawn.
#pragma once

#include <string>

#include "tenure/memory/pool_snapshot.hpp"

namespace tenure::pool_report {

// An SVG element for a page that defines the classes `l`, `i` and `d` (live, idle, detached) and `axis`. A
// rectangle is wider the larger its block is, by as much for each doubling; a space is memory of others. Of
// very many blocks several neighbours in one state share a rectangle. Needs one block or more.
std::string address_map(const PoolSnapshot& snapshot);

}  // namespace tenure::pool_report
