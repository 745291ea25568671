// SPDX-License-Identifier: Apache-2.0
// reference_matrix: matrices in higher precision, with plain loops.
#pragma once

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace cpu_test {

using Complex = std::complex<long double>;

// One matrix, column-major.
struct Matrix {
  Matrix(std::int64_t row_count, std::int64_t column_count)
      : rows(row_count), columns(column_count), values(static_cast<std::size_t>(rows * columns)) {}
  Complex& at(std::int64_t i, std::int64_t j) { return values[static_cast<std::size_t>(i + j * rows)]; }
  const Complex& at(std::int64_t i, std::int64_t j) const {
    return values[static_cast<std::size_t>(i + j * rows)];
  }

  std::int64_t rows;
  std::int64_t columns;
  std::vector<Complex> values;
};

inline Matrix multiply(const Matrix& a, const Matrix& b) {
  Matrix product(a.rows, b.columns);
  for (std::int64_t j = 0; j < b.columns; ++j) {
    for (std::int64_t p = 0; p < a.columns; ++p) {
      for (std::int64_t i = 0; i < a.rows; ++i) product.at(i, j) += a.at(i, p) * b.at(p, j);
    }
  }
  return product;
}

inline Matrix adjoint(const Matrix& a) {
  Matrix result(a.columns, a.rows);
  for (std::int64_t j = 0; j < a.columns; ++j) {
    for (std::int64_t i = 0; i < a.rows; ++i) result.at(j, i) = std::conj(a.at(i, j));
  }
  return result;
}

inline Matrix diagonal(const Matrix& vector) {
  Matrix result(vector.rows, vector.rows);
  for (std::int64_t i = 0; i < vector.rows; ++i) result.at(i, i) = vector.at(i, 0);
  return result;
}

inline Matrix identity(std::int64_t n) {
  Matrix ones(n, 1);
  std::ranges::fill(ones.values, Complex(1));
  return diagonal(ones);
}

inline long double largest(const Matrix& a) {
  long double found = 0;
  for (const Complex& value : a.values) found = std::max(found, std::abs(value));
  return found;
}

}  // namespace cpu_test
