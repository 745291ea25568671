// SPDX-License-Identifier: Apache-2.0
#include "tensor/alignment.hpp"

#include "tenure/base/validation_error.hpp"

namespace tenure::inline TENURE_BUILD {

void require_aligned(const char* operation, const std::byte* address, const AllocationRecord* record,
                     DType dtype) {
  const std::size_t actual_bytes = alignment_at(address, record);
  const std::size_t required_bytes = dtype.alignment_bytes();
  if (actual_bytes % required_bytes == 0) return;
  throw ValidationError(operation, Misaligned{required_bytes, actual_bytes});
}

}  // namespace tenure::inline TENURE_BUILD
