// SPDX-License-Identifier: Apache-2.0
// reinterpretation: the bytes of an owner as other elements, on states. Owners give them their types.
#pragma once

#include "tenure/tensor/owner_state.hpp"

namespace tenure::inline TENURE_BUILD {

// The allocation, its address and how it is given back stay; no bytes are copied. All is checked before
// anything changes. Throw UnsupportedReinterpretation, Misaligned and what the layout throws; EmptyOwner,
// BorrowError.

// Complex elements as their parts: a new first axis of extent 2, real then imaginary.
TENURE_API void read_as_real(OwnerState& state);
// The inverse: the first axis has extent 2.
TENURE_API void read_as_complex(OwnerState& state);
// Any dtype but bool; of another size, the first axis gets as much longer or shorter.
TENURE_API void read_as_bits(OwnerState& state, DType dtype);

}  // namespace tenure::inline TENURE_BUILD
