// SPDX-License-Identifier: Apache-2.0
// brought_runtimes: run-time libraries of which a process should have one, and now may get a second.
#pragma once

#include <string>
#include <vector>

#include "loader/memory_map.hpp"
#include "tenure/config.h"
#include "tenure/loader/file_report.hpp"
#include "tenure/loader/problem.hpp"

namespace tenure::inline TENURE_BUILD {

// Those among the needed libraries.
std::vector<BroughtRuntime> brought_runtimes(const std::vector<NeededLibrary>& needed);

// A warning for each kind of which there would be two, counting what the process has mapped.
std::vector<Problem> duplicate_runtimes(const std::vector<BroughtRuntime>& brought,
                                        const std::vector<MappedRange>& mapped);

}  // namespace tenure::inline TENURE_BUILD
