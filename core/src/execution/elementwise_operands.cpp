// SPDX-License-Identifier: Apache-2.0
#include "execution/elementwise_operands.hpp"

namespace tenure::inline TENURE_BUILD {

void CommonExtents::widen(const char* operation, std::span<const TensorRead* const> inputs) {
  widened_.assign(extents_.begin(), extents_.end());
  for (const TensorRead* input : inputs.subspan(1)) broadcast_with(operation, widened_, input->layout());
  extents_ = span_of(widened_);
}

}  // namespace tenure::inline TENURE_BUILD
