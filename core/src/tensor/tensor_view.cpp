// SPDX-License-Identifier: Apache-2.0
#include "tenure/tensor/tensor_view.hpp"

#include "tenure/tensor/element_copy.hpp"
#include "tenure/tensor/tensor.hpp"

namespace tenure::inline TENURE_BUILD {

Tensor TensorView::duplicate() const {
  return StateAccess::make<Tensor>(duplicate_elements("duplicate", state_));
}

Tensor TensorView::to_col_major() const {
  return StateAccess::make<Tensor>(compact_elements("to_col_major", state_));
}

}  // namespace tenure::inline TENURE_BUILD
