// SPDX-License-Identifier: Apache-2.0
// shared_values: shared tensors with known elements, read and written one at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "tenure/shared/shared_tensor.hpp"

namespace tenure_test {

// The values with the first axis fastest.
inline tenure::SharedTensor share(tenure::AxisValues extents, std::vector<double> values) {
  return tenure::SharedTensor::from(tenure::Tensor::from_vec_col_major(extents, std::move(values)));
}

inline std::vector<double> values_of(const tenure::SharedTensor& tensor) {
  return tensor.read().view().as_typed<double>().to_vec_col_major();
}

inline double value_at(const tenure::SharedTensor& tensor, tenure::AxisValues index) {
  return *tensor.read().view().as_typed<double>().get(index);
}

// Where an element lies.
inline const double* address_at(const tenure::SharedTensor& tensor, tenure::AxisValues index) {
  return tensor.read().view().as_typed<double>().get(index);
}

// Changes one element in place.
inline void write_at(tenure::SharedTensor& tensor, tenure::AxisValues index, double value) {
  auto guard = tensor.write();
  *guard.view().as_typed<double>().get_mut(index) = value;
  guard.publish();
}

inline std::vector<std::int64_t> numbers(std::span<const std::int64_t> values) {
  return {values.begin(), values.end()};
}

}  // namespace tenure_test
