// SPDX-License-Identifier: Apache-2.0
// reduction_reference: what each reduction gives, computed one element after the other.
#pragma once

#include <cstdint>
#include <vector>

#include "box.hpp"
#include "tenure/abi/operation_table.hpp"

namespace cpu_test {

// Requires that `found` is the result of the elements of `in` at these positions, within what the order of
// rounding may change. `out` has the dtype of results.
void check_result(const tenure::abi::ReductionRow& row, const Box& in,
                  const std::vector<std::int64_t>& positions, const Box& out, const Number& found);

}  // namespace cpu_test
