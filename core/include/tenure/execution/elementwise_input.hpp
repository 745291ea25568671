// SPDX-License-Identifier: Apache-2.0
// elementwise_input: a tensor or a scalar of an elementwise function.
#pragma once

#include <variant>

#include "tenure/execution/scalar.hpp"
#include "tenure/execution/tensor_read.hpp"

namespace tenure::inline TENURE_BUILD {

using ElementwiseInput = std::variant<TensorRead, Scalar>;

}  // namespace tenure::inline TENURE_BUILD
