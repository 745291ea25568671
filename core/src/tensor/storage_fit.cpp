// SPDX-License-Identifier: Apache-2.0
#include "tensor/storage_fit.hpp"

#include <cstdint>

#include "tensor/alignment.hpp"

namespace tenure::inline TENURE_BUILD {

void require_fits(const char* operation, const Storage& storage, DType dtype, const Layout& layout) {
  if (layout.is_empty()) return;
  layout.require_within(static_cast<std::int64_t>(storage.bytes() / dtype.bytes()));
  require_aligned(operation, storage.address(), storage.record(), dtype);
}

}  // namespace tenure::inline TENURE_BUILD
