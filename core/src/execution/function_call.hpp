// SPDX-License-Identifier: Apache-2.0
// function_call: one elementwise function applied to tensors and scalars, as a program of one node.
#pragma once

#include <cstdint>
#include <span>

#include "tenure/abi/operation_table.hpp"
#include "tenure/abi/struct_head.hpp"
#include "tenure/execution/elementwise_input.hpp"
#include "tenure/execution/function.hpp"

namespace tenure::inline TENURE_BUILD {

// Inputs of a function, at most.
inline constexpr std::size_t arity_max = 3;

// Refers to the inputs and to itself.
class FunctionCall {
 public:
  // Throws InvalidArgument, DTypeMismatch.
  FunctionCall(const char* operation, Function function, std::span<const ElementwiseInput> inputs);
  FunctionCall(const FunctionCall&) = delete;
  FunctionCall& operator=(const FunctionCall&) = delete;

  const char* operation() const noexcept { return operation_; }
  std::uint32_t function() const noexcept { return row_.function; }
  std::span<const TensorRead* const> tensors() const noexcept { return {tensors_, attributes_.input_count}; }
  // Where a tensor stands among the inputs.
  std::size_t position(std::size_t tensor) const noexcept { return positions_[tensor]; }
  // Of the function's arguments, then of its result.
  std::span<const DType> dtypes() const noexcept { return {dtypes_, row_.arity + 1}; }
  // That of the last argument, which says all others.
  DType governing() const noexcept { return dtypes_[row_.arity - 1]; }
  DType result() const noexcept { return dtypes_[row_.arity]; }
  const tenure_program_attributes& attributes() const noexcept { return attributes_; }

 private:
  void add_constants(std::span<const ElementwiseInput> inputs, DType common);

  const char* operation_;
  const abi::FunctionRow& row_;
  // As many as there are tensors, scalars and arguments with the result.
  const TensorRead* tensors_[arity_max];
  std::size_t positions_[arity_max];
  tenure_scalar constants_[arity_max];
  DType dtypes_[arity_max + 1];
  tenure_program_node node_{};
  std::uint32_t output_;
  tenure_program_attributes attributes_;
};

}  // namespace tenure::inline TENURE_BUILD
