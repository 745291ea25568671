// SPDX-License-Identifier: Apache-2.0
// view_transforms: other readings of the same elements, the same for all kinds of views.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "tenure/layout/axis_values.hpp"
#include "tenure/layout/injectivity.hpp"
#include "tenure/layout/slice.hpp"
#include "tenure/tensor/multi_slice.hpp"
#include "tenure/tensor/view.hpp"
#include "tenure/tensor/view_traits.hpp"

namespace tenure::inline TENURE_BUILD {

// Each transform changes the description only, keeps identity and element type, and keeps a static rank. What
// each does to extents and strides, and what it throws, is said at Layout. A transform of a mutable view is a
// child of it, as from reborrow(): it carries the proof that no two indices share an element, and it must end
// before the parent is used again.
template <class Derived>
class ViewTransforms : public View {
  using Traits = ViewTraits<Derived>;
  template <int Change>
  using Changed = typename Traits::template WithRank<rank_plus(Traits::Rank, Change)>;

 public:
  Derived permute(AxisValues axes) const {
    return reading<Derived>("permute", [&](auto& layout) { return layout.permute(axes); });
  }
  Derived transposed() const {
    return reading<Derived>("transposed", [&](auto& layout) { return layout.transposed(); });
  }
  Derived flip(std::int64_t axis) const {
    return reading<Derived>("flip", [&](auto& layout) { return layout.flip(axis); });
  }
  Derived slice(std::int64_t axis, const Slice& part) const {
    return reading<Derived>("slice", [&](auto& layout) { return layout.slice(axis, part); });
  }
  // One slice for each axis.
  Derived slice(std::span<const Slice> parts) const {
    return reading<Derived>("slice", [&](auto& layout) { return layout.slice(parts); });
  }
  Derived slice(std::initializer_list<Slice> parts) const {
    return reading<Derived>("slice", [&](auto& layout) { return layout.slice(parts); });
  }
  // Several slices at once, each with one slice for each axis, whose elements can be written side by side:
  // no two parts share an element, decided exactly, so rows of a column-major matrix can be split. Throws
  // DisjointError with the positions of two parts that do.
  std::vector<Derived> try_multi_slice_mut(std::span<const std::span<const Slice>> parts) const
      requires(Traits::is_mutable) {
    std::vector<ViewState> states = disjoint_slices(this->state_, parts);
    std::vector<Derived> views;
    views.reserve(states.size());
    for (ViewState& state : states) views.push_back(StateAccess::make<Derived>(std::move(state)));
    return views;
  }
  std::vector<Derived> try_multi_slice_mut(std::initializer_list<std::initializer_list<Slice>> parts) const
      requires(Traits::is_mutable) {
    std::vector<std::span<const Slice>> spans;
    spans.reserve(parts.size());
    for (const auto& part : parts) spans.emplace_back(part.begin(), part.size());
    return try_multi_slice_mut(spans);
  }
  Changed<-1> select(std::int64_t axis, std::int64_t index) const requires(Traits::Rank != 0) {
    return reading<Changed<-1>>("select", [&](auto& layout) { return layout.select(axis, index); });
  }
  Changed<-1> diagonal(std::int64_t axis, std::int64_t other_axis, std::int64_t offset = 0) const
      requires(Traits::Rank != 0 && Traits::Rank != 1) {
    return reading<Changed<-1>>("diagonal",
                                [&](auto& layout) { return layout.diagonal(axis, other_axis, offset); });
  }
  Changed<1> insert_axis(std::int64_t axis) const {
    return reading<Changed<1>>("insert_axis", [&](auto& layout) { return layout.insert_axis(axis); });
  }
  Changed<-1> remove_axis(std::int64_t axis) const requires(Traits::Rank != 0) {
    return reading<Changed<-1>>("remove_axis", [&](auto& layout) { return layout.remove_axis(axis); });
  }
  // Of dynamic rank unless the rank is given: `view.reshape<2>({3, 4})`.
  template <int Rank = dynamic_rank>
  typename Traits::template WithRank<Rank> reshape(AxisValues extents) const {
    if constexpr (Rank != dynamic_rank) require_rank("reshape", Rank, extents.count(), RankRule::extents);
    return reading<typename Traits::template WithRank<Rank>>(
        "reshape", [&](auto& layout) { return layout.reshape(extents); });
  }
  // A repeated element must not be written twice, so only views that read can be broadcast.
  Derived broadcast_to(AxisValues extents) const requires(!Traits::is_mutable) {
    return reading<Derived>("broadcast_to", [&](auto& layout) { return layout.broadcast_to(extents); });
  }
  // The same bytes with a new first axis of extent 2, real then imaginary; and back.
  typename Traits::Real as_real() const requires(!std::is_void_v<typename Traits::Real>) {
    return StateAccess::make<typename Traits::Real>(this->state_.alone("as_real").as_real());
  }
  typename Traits::Complex as_complex() const requires(!std::is_void_v<typename Traits::Complex>) {
    return StateAccess::make<typename Traits::Complex>(this->state_.alone("as_complex").as_complex());
  }
  // The same bytes as elements of another type. Of another size they are split or joined along an axis of
  // stride 1, see Layout::split_elements and Layout::join_elements. Nothing is read as bool, and bool is not
  // written as anything else (UnsupportedReinterpretation). Throws Misaligned. The compiler may assume that
  // elements of two types are not the same memory, so what was written through one is read through the other
  // only after a call of the library, such as this one.
  template <class U>
  typename Traits::template WithElement<U> as_bits(std::int64_t axis = 0) const {
    using Old = typename Traits::Element;
    static_assert(std::is_same_v<U, Old> || !std::is_same_v<U, bool>,
                  "A bool is 0 or 1, which other bytes need not be; compare with zero instead.");
    static_assert(std::is_same_v<U, Old> || !Traits::is_mutable || !std::is_same_v<Old, bool>,
                  "A bool is 0 or 1, so its byte is not written as another element.");
    return StateAccess::make<typename Traits::template WithElement<U>>(bits(dtype_of<U>(), axis));
  }
  Derived as_bits(DType dtype, std::int64_t axis = 0) const
      requires(std::is_void_v<typename Traits::Element>) {
    return StateAccess::make<Derived>(bits(dtype, axis));
  }

 protected:
  using View::View;

 private:
  ViewState bits(DType dtype, std::int64_t axis) const {
    return this->state_.alone("as_bits").as_bits(dtype, axis, Traits::is_mutable);
  }
  // `transform` makes the layout of the result from the layout of this view.
  template <class Result, class Transform>
  Result reading(const char* operation, const Transform& transform) const {
    const ViewState& source = this->state_.alone(operation);
    const auto make_layout = [&] {
      Layout layout = transform(source.layout());
      if constexpr (Traits::is_mutable) require_injective(layout, operation);
      return layout;
    };
    return StateAccess::make_from<Result>([&] { return source.with_layout(make_layout); });
  }
};

}  // namespace tenure::inline TENURE_BUILD
