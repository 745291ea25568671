// SPDX-License-Identifier: Apache-2.0
// operand: memory that ours and all peers of one row use.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "peer.hpp"
#include "random.hpp"
#include "tenure/tenure.hpp"

namespace tenure::bench {

// A compact tensor in the core's host memory, every element written, with the description that peers take.
struct Operand {
  std::shared_ptr<Tensor> tensor;
  Array array;
};

DType dtype_of_element(Element element);

// Values in [low, high).
Operand random_operand(Random& random, Element element, const std::vector<std::int64_t>& extents,
                       double low = 0.5, double high = 1.5);
Operand zero_operand(Element element, const std::vector<std::int64_t>& extents);

// "16Mi", "1000", "4096 x 512"
std::string count_text(std::int64_t count);
std::string shape_text(const std::vector<std::int64_t>& extents);

}  // namespace tenure::bench
