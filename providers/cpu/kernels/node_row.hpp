// SPDX-License-Identifier: Apache-2.0
// node_row: loops over elementwise functions, and the row of a kernel table that a function gets from the
// one table of operations.
#pragma once

#include <utility>

#include "element.hpp"
#include "kernel_table.hpp"
#include "tenure/abi/operation_table.hpp"

namespace tenure::cpu {
namespace {

// The element type of a function's result for operands of type T.
template <abi::ResultRule Rule, class T>
struct ResultOf {
  using type = T;
};
template <class T>
struct ResultOf<abi::ResultRule::boolean, T> {
  using type = Boolean;
};
template <class Real>
struct ResultOf<abi::ResultRule::real_part, Complex<Real>> {
  using type = Real;
};

template <class Function, class T, class Result>
void unary_kernel(const void* const* arguments, unsigned, void* out, std::int64_t count) {
  const T* const a = static_cast<const T*>(arguments[0]);
  Result* const result = static_cast<Result*>(out);
  TENURE_CPU_INDEPENDENT
  for (std::int64_t i = 0; i < count; ++i) result[i] = store<Result>(Function::apply(load(a[i])));
}

template <class Function, class T, class Result>
void binary_kernel(const void* const* arguments, unsigned scalar_mask, void* out, std::int64_t count) {
  const T* const a = static_cast<const T*>(arguments[0]);
  const T* const b = static_cast<const T*>(arguments[1]);
  Result* const result = static_cast<Result*>(out);
  if (scalar_mask == 0) {
    TENURE_CPU_INDEPENDENT
    for (std::int64_t i = 0; i < count; ++i)
      result[i] = store<Result>(Function::apply(load(a[i]), load(b[i])));
  } else if (scalar_mask == 1) {
    const Compute<T> left = load(*a);
    TENURE_CPU_INDEPENDENT
    for (std::int64_t i = 0; i < count; ++i) result[i] = store<Result>(Function::apply(left, load(b[i])));
  } else {
    const Compute<T> right = load(*b);
    TENURE_CPU_INDEPENDENT
    for (std::int64_t i = 0; i < count; ++i) result[i] = store<Result>(Function::apply(load(a[i]), right));
  }
}

template <class Function, std::size_t Dtype>
constexpr NodeKernel node_kernel() {
  constexpr abi::FunctionRow row = *abi::find_function(Function::number);
  if constexpr ((abi::class_of(abi::dtype_table[Dtype].dtype) & row.operand_classes) == 0) {
    return nullptr;
  } else {
    using T = Element<Dtype>;
    using Result = typename ResultOf<row.result, T>::type;
    if constexpr (row.arity == 1) {
      return unary_kernel<Function, T, Result>;
    } else {
      return binary_kernel<Function, T, Result>;
    }
  }
}

// The kernels of Function for every dtype that the table of operations allows. Function has the static
// members `number`, its TENURE_FN_*, and `apply`.
template <class Function>
constexpr NodeRow node_row() {
  return []<std::size_t... Dtype>(std::index_sequence<Dtype...>) {
    return NodeRow{node_kernel<Function, Dtype>()...};
  }
  (std::make_index_sequence<dtype_count>{});
}

}  // namespace
}  // namespace tenure::cpu
