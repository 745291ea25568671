// SPDX-License-Identifier: Apache-2.0
#include "large_product.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>

#include "tenure/abi/dtype.hpp"

namespace tenure::cpu {
namespace {

Plane plane_of(const BlasMatrix& matrix) noexcept {
  return matrix.is_transposed ? Plane{matrix.leading, 1} : Plane{1, matrix.leading};
}

}  // namespace

void multiply_large(const KernelSet& kernels, const BlasProduct& product) {
  // Either side may be the one that is packed.
  const std::int64_t packed_elements =
      std::min(std::max(product.m, product.n), product_block_side) * std::min(product.k, product_block_side);
  const auto packed = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(packed_elements) *
                                                                  abi::dtype_table[product.dtype].bytes);
  kernels.product->large[product.dtype]({.m = product.m,
                                         .n = product.n,
                                         .k = product.k,
                                         .alpha = product.alpha,
                                         .left = product.left.address,
                                         .left_plane = plane_of(product.left),
                                         .right = product.right.address,
                                         .right_plane = plane_of(product.right),
                                         .beta = product.beta,
                                         .out = product.out.address,
                                         .out_plane = plane_of(product.out),
                                         .is_left_conjugated = product.left.is_conjugated,
                                         .is_right_conjugated = product.right.is_conjugated},
                                        packed.get());
}

}  // namespace tenure::cpu
