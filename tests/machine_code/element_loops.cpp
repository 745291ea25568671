// SPDX-License-Identifier: Apache-2.0
// What check_loops.py compares: loops over the elements of a tensor and the same loops over a pointer.
#include "tenure/tensor/host_tensor.hpp"

using tenure::HostTensor;
using Matrix = HostTensor<double, 2>;

extern "C" {

double sum_by_pointer(const double* first, std::int64_t rows, std::int64_t columns) {
  double sum = 0;
  for (std::int64_t j = 0; j < columns; ++j) {
    for (std::int64_t i = 0; i < rows; ++i) sum += first[i + j * rows];
  }
  return sum;
}

double sum_by_tensor(const Matrix& matrix, std::int64_t rows, std::int64_t columns) {
  double sum = 0;
  for (std::int64_t j = 0; j < columns; ++j) {
    for (std::int64_t i = 0; i < rows; ++i) sum += matrix(i, j);
  }
  return sum;
}

void scale_by_pointer(double* first, std::int64_t rows, std::int64_t columns, double factor) {
  for (std::int64_t j = 0; j < columns; ++j) {
    for (std::int64_t i = 0; i < rows; ++i) first[i + j * rows] *= factor;
  }
}

void scale_by_tensor(Matrix& matrix, std::int64_t rows, std::int64_t columns, double factor) {
  for (std::int64_t j = 0; j < columns; ++j) {
    for (std::int64_t i = 0; i < rows; ++i) matrix(i, j) *= factor;
  }
}

// The run from address to end that host_data() gives, without returning a C++ type.
void host_data_of_tensor(const Matrix& matrix, const double** first, std::size_t* count) {
  const auto elements = matrix.host_data();
  *first = elements.data();
  *count = elements.size();
}

// A loop that costs more, so that the check is seen to fail.
double planted_sum_by_tensor(const Matrix& matrix, std::int64_t rows, std::int64_t columns) {
  double sum = 0;
  for (std::int64_t j = 0; j < columns; ++j) {
    for (std::int64_t i = 0; i < rows; ++i) sum += matrix.at(i, j);
  }
  return sum;
}
}
