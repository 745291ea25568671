// SPDX-License-Identifier: Apache-2.0
// blas: matrix products of the linked BLAS library.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tenure::cpu {

// A column-major matrix as BLAS takes it.
struct BlasMatrix {
  std::byte* address;
  std::int64_t leading;  // elements from one column to the next, at most INT_MAX
  bool is_transposed = false;
  bool is_conjugated = false;
};

// out = alpha * left * right + beta * out, out m x n, k terms in each element. `alpha` and `beta` lead to one
// element each, aligned for their dtype; beta 0 does not read out, alpha is not 0.
struct BlasProduct {
  std::size_t dtype;  // index into abi::dtype_table; one that has_blas accepts
  std::int64_t m, n, k;
  const void* alpha;
  BlasMatrix left;
  BlasMatrix right;
  const void* beta;
  BlasMatrix out;  // neither transposed nor conjugated
};

// f32, f64, complex64 and complex128.
bool has_blas(std::size_t dtype) noexcept;

// The right to be inside the library while it lives. Blocks while as many other threads as the library has
// room for are inside.
class BlasTurn {
 public:
  BlasTurn() noexcept;
  BlasTurn(const BlasTurn&) = delete;
  BlasTurn& operator=(const BlasTurn&) = delete;
  ~BlasTurn();
};

// Takes a turn.
void multiply(const BlasProduct& product) noexcept;

}  // namespace tenure::cpu
