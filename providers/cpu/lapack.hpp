// SPDX-License-Identifier: Apache-2.0
// lapack: decompositions of one column-major matrix by the linked LAPACK library.
#pragma once

#include <boost/align/aligned_allocator.hpp>
#include <cmath>
#include <complex>
#include <vector>

namespace tenure::cpu {

// Matrices and workspace. The library takes other ways through memory that is aligned otherwise, so equal
// matrices give equal bits only where everything is aligned alike.
template <class T>
using ScratchVector = std::vector<T, boost::alignment::aligned_allocator<T, 64>>;

// Matrices are compact and computed in place. Each function blocks as multiply() does, allocates its
// workspace and returns LAPACK's info: 0, or a positive number that counts from 1.
template <class T>
struct Lapack {
  using Real = decltype(std::abs(T()));

  // The lower triangle, from the lower triangle. info: the pivot that is not positive.
  static int cholesky(int n, T* a);
  // L without its diagonal of ones, and U. `pivots` has min(m, n) rows, counted from 1, that rows were
  // exchanged with. info: the first pivot that is 0; the factors are complete.
  static int lu(int m, int n, T* a, int* pivots);
  // b = a^-1 b by what lu() left.
  static int lu_solve(int n, int columns, const T* a, const int* pivots, T* b);
  // R in the upper triangle, and below it with `tau` what orthogonal() makes Q of.
  static int qr(int m, int n, T* a, T* tau);
  // The first k columns of Q, k at most m.
  static int orthogonal(int m, int k, T* a, const T* tau);
  // b = a^-1 b with a triangular. info: the element of the diagonal that is 0; b is as it was.
  static int triangular_solve(bool is_upper, bool has_unit_diagonal, int n, int columns, const T* a, T* b);
  // Of the hermitian matrix in the lower triangle the eigenvalues, ascending, and in `a` the eigenvectors.
  // info: no convergence.
  static int eigen(int n, T* a, Real* values);
  // a = u diag(s) vh with k = min(m, n): u is m x k, vh k x n, s descending. info: no convergence.
  static int svd(int m, int n, T* a, T* u, Real* s, T* vh);
};

extern template struct Lapack<float>;
extern template struct Lapack<double>;
extern template struct Lapack<std::complex<float>>;
extern template struct Lapack<std::complex<double>>;

}  // namespace tenure::cpu
