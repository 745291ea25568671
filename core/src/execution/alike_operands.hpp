// SPDX-License-Identifier: Apache-2.0
// alike_operands: operands of an elementwise function that lie in host memory in one way.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "execution/function_call.hpp"
#include "tenure/abi/equal_numbers.hpp"
#include "tenure/abi/struct_head.hpp"
#include "tenure/execution/tensor_read.hpp"

namespace tenure::inline TENURE_BUILD {

// Most operands have the extents and strides of one another and no record. Then nothing is broadcast and
// nothing mapped, and how far two of them are apart says whether they may share memory.
class AlikeOperands {
 public:
  // Whether the inputs lie as the output does, which has elements, and each either shares no byte with it or
  // is the same reading. The output is described with the extents and strides of its state, as all others
  // are.
  bool describe(std::span<const TensorRead* const> inputs, const ViewState& output) noexcept {
    if (output.record() != nullptr || inputs.size() > arity_max) return false;
    const auto extents = output.layout().extents();
    const auto strides = output.layout().strides();
    // From the lowest to the highest element; unsigned, as without elements it may be any number.
    std::uint64_t reach = 0;
    for (std::size_t axis = 0; axis < extents.size(); ++axis) {
      if (extents[axis] == 0) return false;
      const auto distance =
          static_cast<std::uint64_t>(extents[axis] - 1) * static_cast<std::uint64_t>(strides[axis]);
      reach += strides[axis] < 0 ? -distance : distance;
    }
    const std::uint64_t bytes = output.dtype().bytes();
    std::byte* const first = first_element(output);
    tenure_operand* operand = operands_;
    for (const TensorRead* input : inputs) {
      const ViewState& state = StateAccess::state(*input);
      if (state.record() != nullptr || !abi::have_equal_numbers(state.layout().extents(), extents) ||
          !abi::have_equal_numbers(state.layout().strides(), strides))
        return false;
      std::byte* const address = first_element(state);
      const auto behind = static_cast<std::uint64_t>(address - first);
      const std::uint64_t input_bytes = state.dtype().bytes();
      // What both reach at most, whatever the sizes of their elements and the signs of the strides.
      const std::uint64_t reach_bytes = (reach + 1) * std::max(bytes, input_bytes);
      const bool is_apart = behind >= reach_bytes && -behind >= reach_bytes;
      if (!is_apart && (address != first || input_bytes != bytes)) return false;
      put(*operand++, address, state.dtype(), extents, strides, TENURE_OPERAND_READ);
    }
    put(*operand++, first, output.dtype(), extents, strides, TENURE_OPERAND_WRITE);
    count_ = inputs.size() + 1;
    return true;
  }

  std::span<const tenure_operand> operands() const noexcept { return {operands_, count_}; }

 private:
  static std::byte* first_element(const ViewState& state) noexcept {
    return state.address() + state.layout().offset() * static_cast<std::int64_t>(state.dtype().bytes());
  }
  static void put(tenure_operand& operand, std::byte* address, DType dtype,
                  std::span<const std::int64_t> extents, std::span<const std::int64_t> strides,
                  std::uint32_t access) noexcept {
    operand = {.head = abi::head_of<tenure_operand>(),
               .address = address,
               .storage = nullptr,
               .offset_bytes = 0,
               .extents = extents.data(),
               .strides = strides.data(),
               .dtype = dtype.abi(),
               .rank = static_cast<std::uint32_t>(extents.size()),
               .access = access,
               .zero = 0};
  }

  tenure_operand operands_[arity_max + 1];
  std::size_t count_ = 0;
};

}  // namespace tenure::inline TENURE_BUILD
