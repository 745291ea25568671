// SPDX-License-Identifier: Apache-2.0
#include "execution/function_call.hpp"

#include <string>

#include "execution/dtype_rule.hpp"
#include "tenure/base/validation_error.hpp"

namespace tenure::inline TENURE_BUILD {
namespace {

[[noreturn, gnu::cold]] void throw_count(const char* operation, const abi::FunctionRow& row,
                                         std::size_t count) {
  throw ValidationError(
      operation, InvalidArgument{"inputs", std::string(row.name) + " takes " + std::to_string(row.arity) +
                                               ", found " + std::to_string(count)});
}

[[noreturn, gnu::cold]] void throw_no_tensor(const char* operation, const abi::FunctionRow& row) {
  throw ValidationError(
      operation,
      InvalidArgument{"inputs", row.first_is_condition ? "a tensor was wanted beside the condition, found "
                                                         "only scalars"
                                                       : "a tensor was wanted, found only scalars"});
}

// Inline but for what throws.
const abi::FunctionRow& require_row(Function function, const char* operation) {
  const abi::FunctionRow* const row = abi::find_function(static_cast<std::uint32_t>(function));
  return row != nullptr ? *row : find_row(function, operation);
}

}  // namespace

FunctionCall::FunctionCall(const char* operation, Function function, std::span<const ElementwiseInput> inputs)
    : operation_(operation),
      row_(require_row(function, operation)),
      dtypes_{boolean, boolean, boolean, boolean},
      attributes_(abi::make_struct<tenure_program_attributes>()) {
  if (inputs.size() != row_.arity) throw_count(operation, row_, inputs.size());
  const std::size_t first = row_.first_is_condition ? 1 : 0;
  const TensorRead* governing = nullptr;
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto* const tensor = std::get_if<TensorRead>(&inputs[i]);
    if (tensor == nullptr) continue;
    tensors_[count] = tensor;
    positions_[count] = i;
    dtypes_[i] = tensor->dtype();
    node_.arguments[i] = count++;
    if (governing == nullptr && i >= first) governing = tensor;
  }
  if (governing == nullptr) throw_no_tensor(operation, row_);
  attributes_.input_count = count;
  if (count != row_.arity) add_constants(inputs, governing->dtype());
  const DType result = result_dtype(operation, row_, dtypes().first(row_.arity));
  dtypes_[row_.arity] = result;
  node_.function = row_.function;
  node_.dtype = result.abi();
  attributes_.node_count = 1;
  attributes_.output_count = 1;
  attributes_.constants = constants_;
  attributes_.nodes = &node_;
  output_ = row_.arity;
  attributes_.outputs = &output_;
}

// Those of the element type that the tensors apart from a condition have. They are numbered after the
// tensors.
void FunctionCall::add_constants(std::span<const ElementwiseInput> inputs, DType common) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto* const scalar = std::get_if<Scalar>(&inputs[i]);
    if (scalar == nullptr) continue;
    dtypes_[i] = i == 0 && row_.first_is_condition ? boolean : common;
    const std::uint32_t constant = attributes_.constant_count++;
    constants_[constant] = scalar->to(operation_, dtypes_[i]);
    node_.arguments[i] = attributes_.input_count + constant;
  }
}

}  // namespace tenure::inline TENURE_BUILD
