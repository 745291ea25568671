// SPDX-License-Identifier: Apache-2.0
// function_call: one elementwise function applied to tensors and scalars, as a program of one node.
#pragma once

#include <array>
#include <boost/container/static_vector.hpp>
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
  std::span<const TensorRead* const> tensors() const noexcept { return {tensors_.data(), tensors_.size()}; }
  // Where the tensors stand among the inputs.
  std::span<const std::size_t> positions() const noexcept { return {positions_.data(), positions_.size()}; }
  // Of the function's arguments, then of its result.
  std::span<const DType> dtypes() const noexcept { return {dtypes_.data(), dtypes_.size()}; }
  DType result() const noexcept { return dtypes_.back(); }
  const tenure_program_attributes& attributes() const noexcept { return attributes_; }

 private:
  DType common_dtype(std::span<const ElementwiseInput> inputs) const;
  std::uint32_t add_constant(const tenure_scalar& value) noexcept;
  void fill_attributes() noexcept;

  const char* operation_;
  const abi::FunctionRow& row_;
  boost::container::static_vector<const TensorRead*, arity_max> tensors_;
  boost::container::static_vector<std::size_t, arity_max> positions_;
  boost::container::static_vector<DType, arity_max + 1> dtypes_;
  std::array<tenure_scalar, arity_max> constants_;
  std::uint32_t constant_count_ = 0;
  tenure_program_node node_{};
  std::uint32_t output_ = 0;
  tenure_program_attributes attributes_ = abi::make_struct<tenure_program_attributes>();
};

}  // namespace tenure::inline TENURE_BUILD
