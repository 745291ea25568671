// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "layout/extents.hpp"
#include "tenure/base/validation_error.hpp"
#include "tenure/layout/layout.hpp"

namespace tenure::inline TENURE_BUILD {

namespace {

// The longest stretches of axes that step evenly, from the fastest on.
class EvenRuns {
 public:
  explicit EvenRuns(const Layout& layout) noexcept : layout_(layout) {}

  // Cuts an axis of `extent` elements off the fast end and gives its stride. False when that would step
  // unevenly.
  bool cut(std::int64_t extent, std::int64_t& stride) noexcept {
    if (extent_ == 1) next();
    if (extent_ % extent != 0) return false;
    stride = stride_;
    extent_ /= extent;
    stride_ = extent_ == 1 ? 1 : stride_ * extent;
    return true;
  }

 private:
  void next() noexcept {
    extent_ = 1;
    for (; axis_ < layout_.rank(); ++axis_) {
      if (layout_.extent(axis_) == 1) continue;
      if (extent_ == 1) {
        stride_ = layout_.stride(axis_);
      } else if (layout_.stride(axis_) != stride_ * extent_) {
        return;
      }
      extent_ *= layout_.extent(axis_);
    }
  }

  const Layout& layout_;
  std::int64_t axis_ = 0;
  std::int64_t extent_ = 1;
  std::int64_t stride_ = 1;
};

}  // namespace

Layout Layout::reshape(AxisValues extents) const {
  constexpr const char* operation = "Layout::reshape";
  const std::int64_t from_elements = element_count();
  const std::int64_t to_elements = checked_element_count(operation, extents);
  if (from_elements != to_elements) {
    throw ValidationError(operation, ReshapeElementCount{from_elements, to_elements});
  }
  Layout result(extents.count());
  std::copy(extents.begin(), extents.end(), result.axes_.extents());
  std::fill_n(result.axes_.strides(), result.rank(), 1);
  result.offset_ = offset_;
  result.injectivity_ = injectivity_;
  if (from_elements == 0) return result;

  EvenRuns runs(*this);
  for (std::int64_t axis = 0; axis < result.rank(); ++axis) {
    if (extents[axis] == 1) continue;
    if (!runs.cut(extents[axis], result.axes_.strides()[axis])) {
      throw ValidationError(operation, NotCompact{{this->extents().begin(), this->extents().end()},
                                                  {this->strides().begin(), this->strides().end()}});
    }
  }
  return result;
}

}  // namespace tenure::inline TENURE_BUILD
