// SPDX-License-Identifier: Apache-2.0
// child_setup: what a child does to itself before any provider code runs.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "breadcrumb.hpp"

namespace tenure::probe {

// The largest file that a child may write.
inline constexpr std::uintmax_t child_file_bytes_max = std::uintmax_t{1} << 30;

// Ties this process to `parent`'s life, takes rights and resources away from it, and watches for crashes.
// Returns the breadcrumb, which lives until the process ends. Throws ProbeFault.
Breadcrumb& set_up_child(pid_t parent);

}  // namespace tenure::probe
