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

// Others are looked for in pieces of this length.
constexpr std::int64_t piece_elements = 256;

// Whether some operands are not ordinary.
template <class Function, class... Operands>
TENURE_CPU_INLINE bool has_others(std::int64_t begin, std::int64_t end, Operands... operands) {
  std::uint32_t others = 0;
  for (std::int64_t i = begin; i < end; ++i) {
    others |= Function::is_ordinary(operands(i)...) ? 0u : 1u;
  }
  return others != 0;
}

// A piece with others, of which each is computed by itself. The operands may lie where the results go, so
// these wait until the former have been read for the last time.
template <class Function, class Result, class... Operands>
TENURE_CPU_INLINE void apply_one_by_one(Result* result, std::int64_t begin, std::int64_t end,
                                        Operands... operands) {
  Result piece[piece_elements];
  TENURE_CPU_INDEPENDENT
  for (std::int64_t i = begin; i < end; ++i) {
    piece[i - begin] = store<Result>(Function::apply(operands(i)...));
  }
  for (std::int64_t i = begin; i < end; ++i) {
    if (Function::is_ordinary(operands(i)...)) continue;
    piece[i - begin] = store<Result>(Function::apply_other(operands(i)...));
  }
  for (std::int64_t i = begin; i < end; ++i) result[i] = piece[i - begin];
}

// result[i] = f(operands(i)...) for i < count, piece by piece; most have no others.
template <class Function, class Result, class... Operands>
TENURE_CPU_INLINE void apply_with_others(Result* result, std::int64_t count, Operands... operands) {
  for (std::int64_t begin = 0; begin < count; begin += piece_elements) {
    const std::int64_t end = count - begin < piece_elements ? count : begin + piece_elements;
    if (!has_others<Function>(begin, end, operands...)) {
      TENURE_CPU_INDEPENDENT
      for (std::int64_t i = begin; i < end; ++i) result[i] = store<Result>(Function::apply(operands(i)...));
    } else if constexpr (HasAny<Function, decltype(operands(0))...>) {
      TENURE_CPU_INDEPENDENT
      for (std::int64_t i = begin; i < end; ++i) {
        result[i] = store<Result>(Function::apply_any(operands(i)...));
      }
    } else {
      apply_one_by_one<Function>(result, begin, end, operands...);
    }
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
