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

// A function whose `apply` is right for ordinary operands only and has no branches. `apply_any` is right for
// all and has none either; `apply_other` may have branches.
template <class Function, class... Operand>
concept HasOthers = requires(Operand... operands) {
  Function::is_ordinary(operands...);
};
template <class Function, class... Operand>
concept HasAny = requires(Operand... operands) {
  Function::apply_any(operands...);
};

// result[i] = f(operands(i)...) for i < count, piece by piece: all as if they were ordinary, then the others.
// A piece is stored when its operands, which may lie in the same memory, have been read for the last time.
template <class Function, class Result, class... Operands>
TENURE_CPU_INLINE void apply_with_others(Result* result, std::int64_t count, Operands... operands) {
  constexpr std::int64_t piece_elements = 256;
  Result piece[piece_elements];
  for (std::int64_t begin = 0; begin < count; begin += piece_elements) {
    const std::int64_t length = count - begin < piece_elements ? count - begin : piece_elements;
    std::uint32_t others = 0;
    TENURE_CPU_INDEPENDENT
    for (std::int64_t i = 0; i < length; ++i) {
      piece[i] = store<Result>(Function::apply(operands(begin + i)...));
      others |= Function::is_ordinary(operands(begin + i)...) ? 0u : 1u;
    }
    if constexpr (HasAny<Function, decltype(operands(0))...>) {
      if (others != 0) {
        TENURE_CPU_INDEPENDENT
        for (std::int64_t i = 0; i < length; ++i) {
          piece[i] = store<Result>(Function::apply_any(operands(begin + i)...));
        }
      }
    } else {
      for (std::int64_t i = 0; others != 0 && i < length; ++i) {
        if (Function::is_ordinary(operands(begin + i)...)) continue;
        piece[i] = store<Result>(Function::apply_other(operands(begin + i)...));
      }
    }
    TENURE_CPU_INDEPENDENT
    for (std::int64_t i = 0; i < length; ++i) result[begin + i] = piece[i];
  }
}

template <class Function, class Result, class... Operands>
TENURE_CPU_INLINE void apply_to_all(Result* result, std::int64_t count, Operands... operands) {
  if constexpr (HasOthers<Function, decltype(operands(0))...>) {
    apply_with_others<Function>(result, count, operands...);
  } else {
    TENURE_CPU_INDEPENDENT
    for (std::int64_t i = 0; i < count; ++i) result[i] = store<Result>(Function::apply(operands(i)...));
  }
}

template <class T>
TENURE_CPU_INLINE auto each_of(const void* operand) noexcept {
  return [a = static_cast<const T*>(operand)](std::int64_t i) { return load(a[i]); };
}

template <class T>
TENURE_CPU_INLINE auto first_of(const void* operand) noexcept {
  return [value = load(*static_cast<const T*>(operand))](std::int64_t) { return value; };
}

template <class Function, class T, class Result>
void unary_kernel(const void* const* arguments, unsigned, void* out, std::int64_t count) {
  apply_to_all<Function>(static_cast<Result*>(out), count, each_of<T>(arguments[0]));
}

template <class Function, class T, class Result>
void binary_kernel(const void* const* arguments, unsigned scalar_mask, void* out, std::int64_t count) {
  Result* const result = static_cast<Result*>(out);
  if (scalar_mask == 0) {
    apply_to_all<Function>(result, count, each_of<T>(arguments[0]), each_of<T>(arguments[1]));
  } else if (scalar_mask == 1) {
    apply_to_all<Function>(result, count, first_of<T>(arguments[0]), each_of<T>(arguments[1]));
  } else {
    apply_to_all<Function>(result, count, each_of<T>(arguments[0]), first_of<T>(arguments[1]));
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
// members `number`, its TENURE_FN_*, and `apply`, perhaps also `is_ordinary` with `apply_any` or
// `apply_other`.
template <class Function>
constexpr NodeRow node_row() {
  return []<std::size_t... Dtype>(std::index_sequence<Dtype...>) {
    return NodeRow{node_kernel<Function, Dtype>()...};
  }
  (std::make_index_sequence<dtype_count>{});
}

}  // namespace
}  // namespace tenure::cpu
