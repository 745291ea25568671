// SPDX-License-Identifier: Apache-2.0
// process_fork: notices that this process is a forked copy of the one that opened things.
#pragma once

#include <cstdint>

#include "tenure/config.h"

namespace tenure::inline TENURE_BUILD {

// 1 in the process that asks first, one more in each generation of its forked children. The first call
// arranges that a fork tells InstanceControl.
std::uint32_t fork_generation() noexcept;

}  // namespace tenure::inline TENURE_BUILD
