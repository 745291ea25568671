// SPDX-License-Identifier: Apache-2.0
// node_row: loops over elementwise functions, and the row of a kernel table that a function gets from the
// one table of operations.
#pragma once

#include <bit>
#include <limits>
#include <type_traits>
#include <utility>

#include "element.hpp"
#include "function_cost.hpp"
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

// So many elements are computed for each fetch, which goes so far ahead.
constexpr std::int64_t fetched_elements = 64;
constexpr std::int64_t fetch_distance_bytes = 4096;

// An operand with an element for each result.
template <std::size_t Dtype>
struct Each {
  template <class Function>
  static constexpr bool is_costly = fetches_ahead(cost_of(Function::number, Dtype));

  const Element<Dtype>* elements;

  TENURE_CPU_INLINE auto operator()(std::int64_t i) const { return load(elements[i]); }
  TENURE_CPU_INLINE void fetch_behind(std::int64_t begin) const {
    const auto* const first = reinterpret_cast<const char*>(elements + begin) + fetch_distance_bytes;
    for (std::size_t at = 0; at < fetched_elements * sizeof(Element<Dtype>); at += 64) {
      __builtin_prefetch(first + at);
    }
  }
};

// An operand with one element for all.
template <std::size_t Dtype>
struct First {
  template <class Function>
  static constexpr bool is_costly = Each<Dtype>::template is_costly<Function>;

  Compute<Element<Dtype>> value;

  TENURE_CPU_INLINE auto operator()(std::int64_t) const { return value; }
  TENURE_CPU_INLINE void fetch_behind(std::int64_t) const {}
};

// Whether some operands are not ordinary.
template <class Function, class... Operands>
TENURE_CPU_INLINE bool has_others(std::int64_t begin, std::int64_t end, Operands... operands) {
  std::uint32_t others = 0;
  for (std::int64_t i = begin; i < end; ++i) {
    others |= Function::is_ordinary(operands(i)...) ? 0u : 1u;
  }
  return others != 0;
}

// The ordinary operands of functions of one operand are those up to some size. As integers sizes are ordered
// like the numbers, with NaN above infinity.
template <class Function, class Operand>
TENURE_CPU_INLINE bool has_others(std::int64_t begin, std::int64_t end, Operand operand) {
  using Real = decltype(operand(0));
  using Bits = std::conditional_t<sizeof(Real) == 4, std::int32_t, std::int64_t>;
  Bits largest = 0;
  for (std::int64_t i = begin; i < end; ++i) {
    const Bits size = std::bit_cast<Bits>(operand(i)) & std::numeric_limits<Bits>::max();
    largest = size > largest ? size : largest;
  }
  return !Function::is_ordinary(std::bit_cast<Real>(largest));
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

// result[i] = f(operands(i)...) for begin <= i < end.
template <class Function, class Result, class... Operands>
TENURE_CPU_INLINE void apply_in_range(Result* result, std::int64_t begin, std::int64_t end,
                                      Operands... operands) {
  if constexpr ((Operands::template is_costly<Function> || ...)) {
    for (; end - begin >= fetched_elements; begin += fetched_elements) {
      (operands.fetch_behind(begin), ...);
      TENURE_CPU_INDEPENDENT
      for (std::int64_t i = begin; i < begin + fetched_elements; ++i) {
        result[i] = store<Result>(Function::apply(operands(i)...));
      }
    }
  }
  TENURE_CPU_INDEPENDENT
  for (std::int64_t i = begin; i < end; ++i) result[i] = store<Result>(Function::apply(operands(i)...));
}

// result[i] = f(operands(i)...) for i < count, piece by piece; most have no others.
template <class Function, class Result, class... Operands>
TENURE_CPU_INLINE void apply_with_others(Result* result, std::int64_t count, Operands... operands) {
  for (std::int64_t begin = 0; begin < count; begin += piece_elements) {
    const std::int64_t end = count - begin < piece_elements ? count : begin + piece_elements;
    if (!has_others<Function>(begin, end, operands...)) {
      apply_in_range<Function>(result, begin, end, operands...);
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
    apply_in_range<Function>(result, 0, count, operands...);
  }
}

template <std::size_t Dtype>
TENURE_CPU_INLINE Each<Dtype> each_of(const void* operand) noexcept {
  return {static_cast<const Element<Dtype>*>(operand)};
}

template <std::size_t Dtype>
TENURE_CPU_INLINE First<Dtype> first_of(const void* operand) noexcept {
  return {load(*static_cast<const Element<Dtype>*>(operand))};
}

template <class Function, std::size_t Dtype, class Result>
void unary_kernel(const void* const* arguments, unsigned, void* out, std::int64_t count) {
  apply_to_all<Function>(static_cast<Result*>(out), count, each_of<Dtype>(arguments[0]));
}

template <class Function, std::size_t Dtype, class Result>
void binary_kernel(const void* const* arguments, unsigned scalar_mask, void* out, std::int64_t count) {
  Result* const result = static_cast<Result*>(out);
  if (scalar_mask == 0) {
    apply_to_all<Function>(result, count, each_of<Dtype>(arguments[0]), each_of<Dtype>(arguments[1]));
  } else if (scalar_mask == 1) {
    apply_to_all<Function>(result, count, first_of<Dtype>(arguments[0]), each_of<Dtype>(arguments[1]));
  } else {
    apply_to_all<Function>(result, count, each_of<Dtype>(arguments[0]), first_of<Dtype>(arguments[1]));
  }
}

template <class Function, std::size_t Dtype>
constexpr NodeKernel node_kernel() {
  constexpr abi::FunctionRow row = *abi::find_function(Function::number);
  if constexpr ((abi::class_of(abi::dtype_table[Dtype].dtype) & row.operand_classes) == 0) {
    return nullptr;
  } else {
    using Result = typename ResultOf<row.result, Element<Dtype>>::type;
    if constexpr (row.arity == 1) {
      return unary_kernel<Function, Dtype, Result>;
    } else {
      return binary_kernel<Function, Dtype, Result>;
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
