// SPDX-License-Identifier: Apache-2.0
// asymmetric_fence: a store ordered before a later load, free on the side that does it often.
//
// Two threads each store one thing and then load the other's; at least one of them must see the other's
// store. Usually both pay for a full fence. Here the rare side asks the kernel to make every thread of the
// process pass one, and the frequent side only keeps the compiler from exchanging its store and its load.
#pragma once

#include "tenure/config.h"

namespace tenure::inline TENURE_BUILD {

// Whether the kernel offers it. The same for the life of the process, except that it is false before this
// library's initialisers have run; while it is false the frequent side uses sequentially consistent
// operations.
extern const bool heavy_fence_works;

// For the rare side, between its store and its load, which are sequentially consistent. Takes microseconds.
void heavy_fence() noexcept;

}  // namespace tenure::inline TENURE_BUILD
