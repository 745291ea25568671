// SPDX-License-Identifier: Apache-2.0
// view_traits: how the kinds of views belong together.
#pragma once

#include <complex>
#include <type_traits>

#include "tenure/tensor/forward.hpp"

namespace tenure::inline TENURE_BUILD {

// Element: the static element type, or void. WithElement<U>: the same kind of view of other elements. Rank:
// the static rank, or dynamic_rank. WithRank<N>: the same kind of view with another rank. Real,
// Complex: the view of the same bytes as real or complex elements, void where there is none. Owner: what a
// copy of the elements is. HostOwner: what a download of them is.
template <class V>
struct ViewTraits;

// The rank that `change` axes more give.
constexpr int rank_plus(int rank, int change) noexcept {
  return rank == dynamic_rank ? dynamic_rank : rank + change;
}

namespace detail {

template <class T>
struct ComplexPair {
  using RealType = void;
  using ComplexType = void;
};
template <class T>
requires(std::is_same_v<T, float> || std::is_same_v<T, double>) struct ComplexPair<T> {
  using RealType = void;
  using ComplexType = std::complex<T>;
};
template <class T>
struct ComplexPair<std::complex<T>> {
  using RealType = T;
  using ComplexType = void;
};

template <template <class, int> class V, class T, int Rank>
using ViewOrVoid = typename std::conditional_t<std::is_void_v<T>, std::type_identity<void>,
                                               std::type_identity<V<T, Rank>>>::type;

template <template <class, int> class V, class T, int AnyRank>
struct TypedViewTraits {
  using Element = T;
  static constexpr int Rank = AnyRank;
  template <class U>
  using WithElement = V<U, Rank>;
  template <int N>
  using WithRank = V<T, N>;
  using Real = ViewOrVoid<V, typename ComplexPair<T>::RealType, rank_plus(Rank, 1)>;
  using Complex = ViewOrVoid<V, typename ComplexPair<T>::ComplexType, rank_plus(Rank, -1)>;
  using Owner = TypedTensor<T, Rank>;
  using HostOwner = HostTensor<T, Rank>;
};

template <class V, template <class, int> class Typed>
struct ErasedViewTraits {
  using Element = void;
  static constexpr int Rank = dynamic_rank;
  template <class U>
  using WithElement = Typed<U, dynamic_rank>;
  template <int N>
  using WithRank = V;
  using Real = V;
  using Complex = V;
  using Owner = Tensor;
  using HostOwner = Tensor;
};

}  // namespace detail

template <>
struct ViewTraits<TensorView> : detail::ErasedViewTraits<TensorView, TypedTensorView> {
  static constexpr bool is_mutable = false;
};
template <>
struct ViewTraits<TensorViewMut> : detail::ErasedViewTraits<TensorViewMut, TypedTensorViewMut> {
  static constexpr bool is_mutable = true;
};
template <class T, int Rank>
struct ViewTraits<TypedTensorView<T, Rank>> : detail::TypedViewTraits<TypedTensorView, T, Rank> {
  static constexpr bool is_mutable = false;
};
template <class T, int Rank>
struct ViewTraits<TypedTensorViewMut<T, Rank>> : detail::TypedViewTraits<TypedTensorViewMut, T, Rank> {
  static constexpr bool is_mutable = true;
};

// A view that can be read, one that can be written.
template <class V>
concept ReadableView = !ViewTraits<V>::is_mutable;
template <class V>
concept WritableView = ViewTraits<V>::is_mutable;

}  // namespace tenure::inline TENURE_BUILD
