// SPDX-License-Identifier: Apache-2.0
// reinterpretation: the layout of the same bytes read as another element type.
#pragma once

#include <cstdint>

#include "tenure/layout/dtype.hpp"
#include "tenure/layout/layout.hpp"

namespace tenure::inline TENURE_BUILD {

// Both throw UnsupportedReinterpretation for a reading of other elements as bool, whose bytes must be 0 or 1.
// The caller checks that the address is aligned for `to`.

// Any two dtypes. Of equal size the layout stays; otherwise the elements are split or joined along the axis,
// see Layout::split_elements and Layout::join_elements.
TENURE_API Layout bit_cast_layout(const Layout& layout, DType from, DType to, std::int64_t axis = 0);
// Complex as its real parts and back, by an axis of their own (see Layout::as_real, Layout::as_complex);
// anything else as bit_cast_layout along the first axis.
TENURE_API Layout reinterpret_layout(const Layout& layout, DType from, DType to);

}  // namespace tenure::inline TENURE_BUILD
