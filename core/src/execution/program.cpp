// SPDX-License-Identifier: Apache-2.0
#include "tenure/execution/program.hpp"

#include <string>
#include <utility>

#include "execution/dtype_rule.hpp"
#include "tenure/base/validation_error.hpp"

namespace tenure::inline TENURE_BUILD {
namespace {

template <class List>
std::uint32_t count_of(const List& list) noexcept {
  return static_cast<std::uint32_t>(list.size());
}

}  // namespace

Program::Value Program::input(DType dtype) {
  inputs_.push_back(dtype);
  return Value(this, Value::Origin::input, count_of(inputs_) - 1, dtype);
}

Program::Value Program::constant(DType dtype, Scalar value) {
  constants_.push_back(value.to("Program::constant", dtype));
  return Value(this, Value::Origin::constant, count_of(constants_) - 1, dtype);
}

Program::Value Program::apply(Function function, std::initializer_list<Value> arguments) {
  const abi::FunctionRow& row = row_of(function);
  const std::string operation = "Program::apply(" + std::string(row.name) + ")";
  if (arguments.size() != row.arity) {
    throw ValidationError(operation,
                          InvalidArgument{"arguments", std::to_string(row.arity) + " were wanted, found " +
                                                           std::to_string(arguments.size())});
  }
  std::vector<DType> dtypes;
  for (const Value& argument : arguments) {
    if (argument.program_ != this) {
      throw ValidationError(operation, InvalidArgument{"arguments", "a value of another program was found"});
    }
    dtypes.push_back(argument.dtype_);
  }
  const DType dtype = result_dtype(operation.c_str(), row, dtypes);
  nodes_.push_back({function, dtype, arguments});
  return Value(this, Value::Origin::node, count_of(nodes_) - 1, dtype);
}

void Program::output(Value value) {
  if (value.program_ != this) {
    throw ValidationError("Program::output",
                          InvalidArgument{"value", "a value of another program was found"});
  }
  output_dtypes_.push_back(value.dtype_);
  outputs_.push_back(value);
}

std::uint32_t Program::number_of(const Value& value) const noexcept {
  switch (value.origin_) {
    case Value::Origin::input:
      return value.index_;
    case Value::Origin::constant:
      return count_of(inputs_) + value.index_;
    case Value::Origin::node:
      return count_of(inputs_) + count_of(constants_) + value.index_;
  }
  __builtin_unreachable();
}

Program::Numbered Program::numbered() const {
  Numbered numbered;
  for (const Node& node : nodes_) {
    tenure_program_node row{};
    row.function = static_cast<std::uint32_t>(node.function);
    row.dtype = node.dtype.abi();
    for (std::size_t i = 0; i < node.arguments.size(); ++i) row.arguments[i] = number_of(node.arguments[i]);
    numbered.nodes.push_back(row);
  }
  for (const Value& value : outputs_) numbered.outputs.push_back(number_of(value));
  return numbered;
}

}  // namespace tenure::inline TENURE_BUILD
