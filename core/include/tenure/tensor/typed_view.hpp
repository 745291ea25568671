// SPDX-License-Identifier: Apache-2.0
// typed_view: element access, the same for typed views that read and that write.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tenure/layout/dtype.hpp"
#include "tenure/tensor/index_values.hpp"
#include "tenure/tensor/view_transforms.hpp"

namespace tenure::inline TENURE_BUILD {

// Element is const T for views that read.
template <class Derived, class Element>
class TypedView : public ViewTransforms<Derived> {
  static constexpr int static_rank = ViewTraits<Derived>::Rank;

 public:
  using value_type = std::remove_const_t<Element>;

  // Unchecked in a release build: as many indices as axes, each within its extent, not negative, and memory
  // that the host reaches. As at() in a checked build.
  template <std::integral... Index>
  Element& operator()(Index... index) const {
    if constexpr (TENURE_CHECKED) {
      return at(index...);
    } else {
      const Layout& layout = this->state_.layout();
      const auto values = index_values<static_rank>(index...);
      std::int64_t element = layout.offset();
      for (std::size_t axis = 0; axis < values.size(); ++axis) {
        element += values[axis] * layout.strides()[axis];
      }
      return reinterpret_cast<Element*>(this->state_.address())[element];
    }
  }
  // Throws RankMismatch, IndexOutOfBounds; AccessError (not_host_accessible).
  template <std::integral... Index>
  Element& at(Index... index) const {
    const std::int64_t element = element_at<static_rank>(this->state_.live("at").layout(), index...);
    return elements("at")[element];
  }
  // Null when the index is not one of this view. Throws AccessError (not_host_accessible).
  const value_type* get(AxisValues index) const { return find("get", index); }

  // All elements, the first axis fastest. Throws AccessError (not_host_accessible); NotCompact when they do
  // not lie in one run.
  std::span<const value_type> host_data() const { return run("host_data"); }

 protected:
  using ViewTransforms<Derived>::ViewTransforms;

  Element* find(const char* operation, AxisValues index) const {
    Element* const first = elements(operation);
    const auto element = this->layout().find_element(index);
    return element ? first + *element : nullptr;
  }
  std::span<Element> run(const char* operation) const {
    std::byte* const first = this->state_.compact_host_address(operation);
    return {reinterpret_cast<Element*>(first), static_cast<std::size_t>(this->element_count())};
  }

 private:
  Element* elements(const char* operation) const {
    return reinterpret_cast<Element*>(this->state_.host_address(operation));
  }
};

}  // namespace tenure::inline TENURE_BUILD
