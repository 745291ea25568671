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

void Program::require_own(const char* operation, const Value& value) const {
  const std::size_t count = value.origin_ == Value::Origin::input      ? inputs_.size()
                            : value.origin_ == Value::Origin::constant ? constants_.size()
                                                                       : nodes_.size();
  if (value.program_ == this && value.index_ < count) return;
  throw ValidationError(operation,
                        InvalidArgument{"value", "a value of this program was wanted, found one of another"});
}

Program::Value Program::apply(Function function, std::span<const Value> arguments) {
  constexpr const char* operation = "Program::apply";
  const abi::FunctionRow& row = find_row(function, operation);
  if (arguments.size() != row.arity) {
    throw ValidationError(operation, InvalidArgument{"arguments", std::string(row.name) + " takes " +
                                                                      std::to_string(row.arity) + ", found " +
                                                                      std::to_string(arguments.size())});
  }
  std::vector<DType> dtypes;
  for (const Value& argument : arguments) {
    require_own(operation, argument);
    dtypes.push_back(argument.dtype_);
  }
  const DType dtype = result_dtype(operation, row, dtypes);
  nodes_.push_back({function, dtype, {arguments.begin(), arguments.end()}});
  return Value(this, Value::Origin::node, count_of(nodes_) - 1, dtype);
}

void Program::output(Value value) {
  require_own("Program::output", value);
  outputs_.push_back(value);
}

std::vector<DType> Program::outputs() const {
  std::vector<DType> dtypes;
  for (const Value& value : outputs_) dtypes.push_back(value.dtype_);
  return dtypes;
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
