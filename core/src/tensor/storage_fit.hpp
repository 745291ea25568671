// SPDX-License-Identifier: Apache-2.0
// storage_fit: whether elements lie within a storage, at addresses that their type allows.
#pragma once

#include "tenure/layout/dtype.hpp"
#include "tenure/layout/layout.hpp"
#include "tenure/memory/storage.hpp"

namespace tenure::inline TENURE_BUILD {

// Throws ViewOutOfBounds, Misaligned.
void require_fits(const char* operation, const Storage& storage, DType dtype, const Layout& layout);

}  // namespace tenure::inline TENURE_BUILD
