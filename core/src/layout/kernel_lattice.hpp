// SPDX-License-Identifier: Apache-2.0
// kernel_lattice: the integer vectors that a row of coefficients maps to zero, searched for a small one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tenure/layout/search_answer.hpp"

namespace tenure::inline TENURE_BUILD {

struct KernelVector {
  SearchAnswer answer;
  std::vector<std::int64_t> vector;  // with answer yes
  std::uint64_t work;
};

// A vector other than zero with sum of coefficients[i] * vector[i] = 0 and |vector[i]| <= bounds[i]. All
// coefficients and bounds are positive.
//
// Reduces a basis of all solutions (LLL, in exact arithmetic, with each direction scaled by its bound) and
// enumerates. If the first vector of the reduced basis is too large, no vector of the basis adds much less
// than it does, so few combinations are small enough: for six coefficients the enumeration takes at most
// 200 000 steps and the reduction 140 000, whatever their size.
KernelVector find_kernel_vector(std::span<const std::int64_t> coefficients,
                                std::span<const std::int64_t> bounds, std::uint64_t work_limit);

}  // namespace tenure::inline TENURE_BUILD
