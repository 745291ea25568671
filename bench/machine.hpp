// SPDX-License-Identifier: Apache-2.0
// machine: facts that a result means nothing without.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "setup.hpp"

namespace tenure::bench {

// Processor, caches, ISA level, governor, kernel, huge pages, load, compiler, provider, peers.
nlohmann::ordered_json machine_facts(const Setup& setup);
// Of the last minute.
double load_average();

}  // namespace tenure::bench
