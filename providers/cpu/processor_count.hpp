// SPDX-License-Identifier: Apache-2.0
// processor_count: how many processors this process may use.
#pragma once

namespace tenure::cpu {

// Those that the calling thread may run on, which are fewer than the machine has where it was bound to some.
// At least 1.
int processor_count() noexcept;

}  // namespace tenure::cpu
