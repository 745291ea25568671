// SPDX-License-Identifier: Apache-2.0
// result_type: what an operation on given arguments returns.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "tenure/abi/operation_table.hpp"
#include "tenure/execution/tensor_read.hpp"
#include "tenure/tensor/tensor.hpp"
#include "tenure/tensor/typed_tensor.hpp"

namespace tenure::inline TENURE_BUILD {

// An owner or view that an operation reads; also what is refused with the words of ArgumentType.
template <class A>
concept TensorArgument = std::derived_from<A, Owner> || std::derived_from<A, View> || GuardedArgument<A>;
// A value that takes the element type of the tensor beside it.
template <class A>
concept ScalarArgument = ElementType<A>;
template <class A>
concept ElementwiseArgument = TensorArgument<A> || ScalarArgument<A>;

namespace detail {

// The static element type, void for none; the static rank.
template <class A>
struct ArgumentType {
  using Element = void;
  static constexpr int rank = dynamic_rank;
};
template <GuardedArgument A>
struct ArgumentType<A> {
  static_assert(!GuardedArgument<A>,
                "A SharedTensor is no operand; keep a guard, `const auto guard = tensor.read();`, and pass "
                "guard.view().");
  using Element = void;
  static constexpr int rank = dynamic_rank;
};
template <template <class, int> class Wrapper, class T, int Rank>
requires TensorArgument<Wrapper<T, Rank>>
struct ArgumentType<Wrapper<T, Rank>> {
  using Element = T;
  static constexpr int rank = Rank;
};

// The element type of a result: that of the operands, bool, the real part's, or that of an index.
template <abi::ResultRule rule, class T>
struct ResultElement {
  using Type = T;
};
template <class T>
struct ResultElement<abi::ResultRule::boolean, T> {
  using Type = bool;
};
template <>
struct ResultElement<abi::ResultRule::boolean, void> {
  using Type = void;
};
template <class T>
struct ResultElement<abi::ResultRule::real_part, std::complex<T>> {
  using Type = T;
};
template <class T>
struct ResultElement<abi::ResultRule::index, T> {
  using Type = std::int64_t;
};
template <>
struct ResultElement<abi::ResultRule::index, void> {
  using Type = void;
};

template <class T, int Rank>
struct ResultOwner {
  using Type = TypedTensor<T, Rank>;
};
template <int Rank>
struct ResultOwner<void, Rank> {
  using Type = Tensor;
};

// A scalar takes the type and rank of the tensor beside it.
template <class A, class B>
using Governing = std::conditional_t<TensorArgument<A>, A, B>;
template <class A, class B>
inline constexpr int common_rank =
    !TensorArgument<A> || !TensorArgument<B> ? ArgumentType<Governing<A, B>>::rank
    : ArgumentType<A>::rank == dynamic_rank  ? ArgumentType<B>::rank
                                             : ArgumentType<A>::rank;
template <class A, class B>
inline constexpr bool have_equal_elements =
    !TensorArgument<A> || !TensorArgument<B> || std::is_void_v<typename ArgumentType<A>::Element> ||
    std::is_void_v<typename ArgumentType<B>::Element> ||
    std::is_same_v<typename ArgumentType<A>::Element, typename ArgumentType<B>::Element>;
template <class A, class B>
using CommonElement =
    std::conditional_t<TensorArgument<A> && !std::is_void_v<typename ArgumentType<A>::Element>,
                       typename ArgumentType<A>::Element, typename ArgumentType<B>::Element>;

// Of any number of operands: the first known element type and the first known rank.
template <class... Arguments>
struct FirstKnown {
  using Element = void;
  static constexpr int rank = dynamic_rank;
};
template <class A, class... Rest>
struct FirstKnown<A, Rest...> {
  using Element =
      std::conditional_t<std::is_void_v<typename ArgumentType<A>::Element>,
                         typename FirstKnown<Rest...>::Element, typename ArgumentType<A>::Element>;
  static constexpr int rank =
      ArgumentType<A>::rank == dynamic_rank ? FirstKnown<Rest...>::rank : ArgumentType<A>::rank;
};
template <class... Arguments>
using ResultOfAll =
    typename ResultOwner<typename FirstKnown<Arguments...>::Element, FirstKnown<Arguments...>::rank>::Type;

}  // namespace detail

// Tensor for arguments without a static element type, otherwise TypedTensor with the static rank if one is
// known and `Rank` does not replace it.
template <abi::ResultRule rule, class A, class B = A, int Rank = detail::common_rank<A, B>>
using ResultOf =
    typename detail::ResultOwner<typename detail::ResultElement<rule, detail::CommonElement<A, B>>::Type,
                                 Rank>::Type;

}  // namespace tenure::inline TENURE_BUILD
