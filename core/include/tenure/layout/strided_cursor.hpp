// SPDX-License-Identifier: Apache-2.0
// strided_cursor: a walk over the elements of a layout, the first axis fastest.
#pragma once

#include <cstdint>

#include "tenure/layout/layout.hpp"

namespace tenure::inline TENURE_BUILD {

// `for (StridedCursor at(layout); !at.done(); at.advance()) use(data[at.element()]);`
// Does not refer to the layout after construction.
class StridedCursor {
 public:
  explicit StridedCursor(const Layout& layout) noexcept
      : rank_(layout.rank()), element_(layout.offset()), remaining_(layout.element_count()) {
    if (done()) return;
    std::int64_t rewind = 0;
    for (std::int64_t axis = 0; axis < rank_; ++axis) {
      extents_[axis] = layout.extent(axis);
      index_[axis] = 0;
      carries_[axis] = layout.stride(axis) - rewind;
      rewind += (layout.extent(axis) - 1) * layout.stride(axis);
    }
  }

  bool done() const noexcept { return remaining_ == 0; }
  // Not to be called once done.
  std::int64_t element() const noexcept { return element_; }
  void advance() noexcept {
    if (--remaining_ == 0) return;
    std::int64_t axis = 0;
    while (++index_[axis] == extents_[axis]) index_[axis++] = 0;
    element_ += carries_[axis];
  }

 private:
  std::int64_t rank_;
  std::int64_t element_;
  std::int64_t remaining_;
  std::int64_t extents_[Layout::rank_max];
  std::int64_t index_[Layout::rank_max];
  std::int64_t carries_[Layout::rank_max];  // from the last element of the lower axes to the next index here
};

}  // namespace tenure::inline TENURE_BUILD
