// SPDX-License-Identifier: Apache-2.0
// function_reference: what each elementwise function gives, computed one element at a time by other means.
#pragma once

#include <cstdint>
#include <span>

#include "element.hpp"

namespace cpu_test {

// How far a result may be from the reference, in units of the last place of the result's dtype. 0: the same
// number.
struct Expected {
  Number number;
  double ulps = 0;
};

// `function` of operands of `dtype`; the condition of `where` is a number apart.
Expected expected_function(std::uint32_t function, Dtype dtype, std::span<const Number> arguments);

// Whether `found`, of dtype `result`, is close enough.
bool is_close(const Number& found, const Expected& expected, Dtype result);

}  // namespace cpu_test
