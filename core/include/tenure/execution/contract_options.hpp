// SPDX-License-Identifier: Apache-2.0
// contract_options: which axes of two tensors a contraction pairs.
#pragma once

#include <cstdint>
#include <vector>

#include "tenure/execution/scalar.hpp"

namespace tenure::inline TENURE_BUILD {

// Axis i of each list is paired with axis i of its partner and must have the same extent. Contracted axes are
// summed over, batch axes are kept once; negative axes count from the end. The result has the free axes of
// the left operand, those of the right one, each in the order that they have there, then the batch axes as
// listed.
struct ContractOptions {
  std::vector<std::int64_t> left_contracted{};
  std::vector<std::int64_t> right_contracted{};
  std::vector<std::int64_t> left_batch{};
  std::vector<std::int64_t> right_batch{};
  bool conjugate_left = false;
  bool conjugate_right = false;
};

// result = alpha * product + beta * destination. With beta 0 the destination is not read.
struct Accumulation {
  Scalar alpha = 1;
  Scalar beta = 0;
};

}  // namespace tenure::inline TENURE_BUILD
