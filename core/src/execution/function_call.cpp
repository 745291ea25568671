// SPDX-License-Identifier: Apache-2.0
#include "execution/function_call.hpp"

#include <string>

#include "execution/dtype_rule.hpp"
#include "tenure/base/validation_error.hpp"

namespace tenure::inline TENURE_BUILD {

FunctionCall::FunctionCall(const char* operation, Function function, std::span<const ElementwiseInput> inputs)
    : operation_(operation), row_(find_row(function, operation)) {
  if (inputs.size() != row_.arity) {
    throw ValidationError(
        operation, InvalidArgument{"inputs", std::string(row_.name) + " takes " + std::to_string(row_.arity) +
                                                 ", found " + std::to_string(inputs.size())});
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto* const tensor = std::get_if<TensorRead>(&inputs[i]);
    if (tensor == nullptr) continue;
    tensors_.push_back(tensor);
    positions_.push_back(i);
  }
  const DType common = common_dtype(inputs);
  std::uint32_t next_tensor = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (const auto* tensor = std::get_if<TensorRead>(&inputs[i])) {
      dtypes_.push_back(tensor->dtype());
      node_.arguments[i] = next_tensor++;
    } else {
      dtypes_.push_back(i == 0 && row_.first_is_condition ? boolean : common);
      node_.arguments[i] = add_constant(std::get<Scalar>(inputs[i]).to(operation, dtypes_.back()));
    }
  }
  dtypes_.push_back(result_dtype(operation, row_, dtypes()));
  fill_attributes();
}

// The element type of the tensors apart from a condition, which scalars take.
DType FunctionCall::common_dtype(std::span<const ElementwiseInput> inputs) const {
  for (const ElementwiseInput& input : inputs.subspan(row_.first_is_condition ? 1 : 0)) {
    if (const auto* tensor = std::get_if<TensorRead>(&input)) return tensor->dtype();
  }
  throw ValidationError(
      operation(),
      InvalidArgument{"inputs", row_.first_is_condition
                                    ? "a tensor was wanted beside the condition, found only scalars"
                                    : "a tensor was wanted, found only scalars"});
}

// Constants are numbered after the tensors.
std::uint32_t FunctionCall::add_constant(const tenure_scalar& value) noexcept {
  constants_[constant_count_] = value;
  return static_cast<std::uint32_t>(tensors_.size()) + constant_count_++;
}

void FunctionCall::fill_attributes() noexcept {
  node_.function = row_.function;
  node_.dtype = result().abi();
  attributes_.input_count = static_cast<std::uint32_t>(tensors_.size());
  attributes_.constant_count = constant_count_;
  attributes_.node_count = 1;
  attributes_.output_count = 1;
  attributes_.constants = constants_.data();
  attributes_.nodes = &node_;
  output_ = attributes_.input_count + attributes_.constant_count;
  attributes_.outputs = &output_;
}

}  // namespace tenure::inline TENURE_BUILD
