// SPDX-License-Identifier: Apache-2.0
// program: several elementwise functions that run in one pass over memory.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "tenure/execution/function.hpp"
#include "tenure/execution/scalar.hpp"
#include "tenure/layout/dtype.hpp"

namespace tenure::inline TENURE_BUILD {

// A list of functions in which each uses inputs, constants and results of earlier ones:
//
//   Program program;
//   auto x = program.input(f64);
//   auto y = program.apply(Function::multiply, {x, program.constant(f64, 0.5)});
//   program.output(program.apply(Function::exp, {y}));
//
// Types are checked as it is written, extents when Engine::run meets the inputs. One thread writes it; any
// number may run it.
class TENURE_API Program {
 public:
  // One value of the program; means nothing in another one.
  class Value {
   public:
    DType dtype() const noexcept { return dtype_; }

   private:
    friend class Program;
    enum class Origin : std::uint8_t {
      input,
      constant,
      node
    };
    Value(const Program* program, Origin origin, std::uint32_t index, DType dtype) noexcept
        : program_(program), origin_(origin), index_(index), dtype_(dtype) {}
    const Program* program_;
    Origin origin_;
    std::uint32_t index_;
    DType dtype_;
  };

  Program() = default;
  // Values refer to the program that made them.
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  // The next input in the order that Engine::run takes them.
  Value input(DType dtype);
  Value constant(DType dtype, Scalar value);
  // Throws InvalidArgument for a wrong number of arguments or a value of another program, DTypeMismatch.
  Value apply(Function function, std::span<const Value> arguments);
  Value apply(Function function, std::initializer_list<Value> arguments) {
    return apply(function, std::span(arguments.begin(), arguments.size()));
  }
  // The value becomes the next output.
  void output(Value value);

  std::span<const DType> inputs() const noexcept TENURE_LIFETIME_BOUND { return inputs_; }
  std::vector<DType> outputs() const;

 private:
  friend class Engine;
  // Arguments and outputs by their numbers in the contract: inputs, constants, nodes.
  struct Numbered {
    std::vector<tenure_program_node> nodes;
    std::vector<std::uint32_t> outputs;
  };
  struct Node {
    Function function;
    DType dtype;
    std::vector<Value> arguments;
  };
  Numbered numbered() const;
  std::uint32_t number_of(const Value& value) const noexcept;
  void require_own(const char* operation, const Value& value) const;

  std::vector<DType> inputs_;
  std::vector<tenure_scalar> constants_;
  std::vector<Node> nodes_;
  std::vector<Value> outputs_;
};

}  // namespace tenure::inline TENURE_BUILD
