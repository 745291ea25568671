// SPDX-License-Identifier: Apache-2.0
// reinterpretation: the layout of the same bytes read as another element type.
#pragma once

#include "tenure/layout/dtype.hpp"
#include "tenure/layout/layout.hpp"

namespace tenure::inline TENURE_BUILD {

// Complex as its real parts and back (see Layout::as_real, Layout::as_complex), and any two dtypes of equal
// size, whose layout stays. Anything else throws UnsupportedReinterpretation; so does a reading as bool,
// whose bytes must be 0 or 1. The caller checks that the address is aligned for `to`.
TENURE_API Layout reinterpret_layout(const Layout& layout, DType from, DType to);

}  // namespace tenure::inline TENURE_BUILD
