// SPDX-License-Identifier: Apache-2.0
// strided_copy: the copy of host memory from one layout to another, on the calling thread.
#pragma once

#include <cstddef>

#include "tenure/layout/layout.hpp"

namespace tenure::inline TENURE_BUILD {

// target[index] = source[index] for every index. The addresses are those of element 0 of the layouts, which
// have equal extents; both ends are reachable, do not overlap, and the target is injective: the caller has
// checked. `element_bytes` is 1, 2, 4, 8 or 16, and no alignment is assumed. Allocates nothing.
void strided_copy(void* target, const Layout& target_layout, const void* source, const Layout& source_layout,
                  std::size_t element_bytes) noexcept;

}  // namespace tenure::inline TENURE_BUILD
