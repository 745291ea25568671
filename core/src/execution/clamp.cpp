// SPDX-License-Identifier: Apache-2.0
// clamp: a program of two functions.
#include <array>
#include <utility>
#include <variant>
#include <vector>

#include "execution/dtype_rule.hpp"
#include "tenure/execution/engine.hpp"

namespace tenure::inline TENURE_BUILD {
namespace {

struct Clamp {
  // Throws DTypeMismatch, InvalidArgument for a scalar that the element type does not hold.
  Clamp(const char* operation, const TensorRead& a, const ElementwiseInput& low, const ElementwiseInput& high)
      : inputs{a}, positions{0} {
    require_dtype_class(operation, row_of(Function::maximum).operand_classes, a.dtype());
    const auto at_least =
        program.apply(Function::maximum, {program.input(a.dtype()), add(operation, low, 1, a.dtype())});
    program.output(program.apply(Function::minimum, {at_least, add(operation, high, 2, a.dtype())}));
  }

  Program::Value add(const char* operation, const ElementwiseInput& bound, std::size_t position,
                     DType dtype) {
    if (const auto* const tensor = std::get_if<TensorRead>(&bound)) {
      require_equal_dtypes(operation, dtype, tensor->dtype());
      inputs.push_back(*tensor);
      positions.push_back(position);
      return program.input(dtype);
    }
    const Scalar& scalar = std::get<Scalar>(bound);
    scalar.to(operation, dtype);  // here, so that an error names the operation
    return program.constant(dtype, scalar);
  }

  Program program;
  std::vector<TensorRead> inputs;
  std::vector<std::size_t> positions;  // of the inputs, among the arguments
};

}  // namespace

Tensor Engine::clamp_tensor(const TensorRead& a, const ElementwiseInput& low,
                            const ElementwiseInput& high) const {
  const Clamp clamp("clamp", a, low, high);
  return std::move(run_named("clamp", clamp.program, clamp.inputs).front());
}

void Engine::clamp_tensor_into(const TensorRead& a, const ElementwiseInput& low, const ElementwiseInput& high,
                               const TensorWrite& out) const {
  const Clamp clamp("clamp_into", a, low, high);
  run_named_into("clamp_into", clamp.program, clamp.inputs, clamp.positions, std::array{out});
}

}  // namespace tenure::inline TENURE_BUILD
