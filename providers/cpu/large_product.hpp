// SPDX-License-Identifier: Apache-2.0
// large_product: products of any size whose dtype the library does not have.
#pragma once

#include "blas.hpp"
#include "kernel_set.hpp"

namespace tenure::cpu {

// Takes the matrices as the library does, of a dtype that has a large product. Throws std::bad_alloc.
void multiply_large(const KernelSet& kernels, const BlasProduct& product);

}  // namespace tenure::cpu
