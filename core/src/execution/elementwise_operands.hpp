// SPDX-License-Identifier: Apache-2.0
// elementwise_operands: what the operands of elementwise functions and programs have in common.
#pragma once

#include <cstdint>
#include <span>

#include "execution/broadcast.hpp"
#include "execution/operand_list.hpp"
#include "tenure/execution/tensor_read.hpp"

namespace tenure::inline TENURE_BUILD {

// The extents that inputs have after broadcasting. Those of the first input itself where all have the same,
// so the inputs must outlive them.
class CommonExtents {
 public:
  // There is at least one input. Throws RankMismatch, ShapeMismatch.
  CommonExtents(const char* operation, std::span<const TensorRead* const> inputs)
      : extents_(inputs.front()->layout().extents()) {
    for (const TensorRead* input : inputs.subspan(1)) {
      if (abi::have_equal_numbers(extents_, input->layout().extents())) continue;
      widen(operation, inputs);
      break;
    }
  }
  CommonExtents(const CommonExtents&) = delete;
  CommonExtents& operator=(const CommonExtents&) = delete;

  std::span<const std::int64_t> span() const noexcept { return extents_; }

 private:
  [[gnu::noinline]] void widen(const char* operation, std::span<const TensorRead* const> inputs);

  std::span<const std::int64_t> extents_;
  Extents widened_;
};

inline void add_inputs(OperandList& operands, std::span<const TensorRead* const> inputs,
                       std::span<const std::int64_t> extents) {
  for (const TensorRead* input : inputs) operands.add_input(StateAccess::state(*input), extents);
}

}  // namespace tenure::inline TENURE_BUILD
