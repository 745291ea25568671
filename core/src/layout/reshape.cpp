// SPDX-License-Identifier: Apache-2.0
#include "layout/extents.hpp"
#include "tenure/abi/checked_math.hpp"
#include "tenure/base/validation_error.hpp"
#include "tenure/layout/layout.hpp"

namespace tenure::inline TENURE_BUILD {

namespace {

// True when an axis of this extent and stride is followed by one that goes on evenly with `next_stride`.
bool continues(std::int64_t extent, std::int64_t stride, std::int64_t next_stride) noexcept {
  std::int64_t end = 0;
  return abi::checked_multiply(extent, stride, end) && end == next_stride;
}

// Walks old and new axes in groups of equal element count. Within a group the old axes must step evenly, and
// then the new ones do too. `strides` holds 1 for every new axis; false when a group is uneven.
bool regroup(const std::int64_t* from_extents, const std::int64_t* from_strides, AxisValues extents,
             std::int64_t* strides) noexcept {
  const auto skip_ones = [&](std::int64_t axis) {
    while (from_extents[axis] == 1) ++axis;
    return axis;
  };
  std::int64_t from = 0;
  for (std::int64_t to = 0; to < extents.count(); ++to) {
    if (extents[to] == 1) continue;
    from = skip_ones(from);
    strides[to] = from_strides[from];
    std::int64_t from_count = from_extents[from];
    std::int64_t to_count = extents[to];
    while (from_count != to_count) {
      if (to_count < from_count) {
        const std::int64_t last = to++;
        while (extents[to] == 1) ++to;
        strides[to] = strides[last] * extents[last];
        to_count *= extents[to];
      } else {
        const std::int64_t last = from;
        from = skip_ones(from + 1);
        if (!continues(from_extents[last], from_strides[last], from_strides[from])) return false;
        from_count *= from_extents[from];
      }
    }
    ++from;
  }
  return true;
}

}  // namespace

Layout Layout::reshape(AxisValues extents) const {
  constexpr const char* operation = "reshape";
  const std::int64_t from_elements = element_count();
  const std::int64_t to_elements = checked_element_count(operation, extents);
  if (from_elements != to_elements) {
    throw ValidationError(operation, ReshapeElementCount{from_elements, to_elements});
  }
  Layout result(extents.count(), offset_, injectivity_);
  std::int64_t* const result_extents = result.axes_.extents();
  std::int64_t* const result_strides = result.axes_.strides();
  for (std::int64_t axis = 0; axis < extents.count(); ++axis) {
    result_extents[axis] = extents[axis];
    result_strides[axis] = 1;
  }
  if (from_elements != 0 && !regroup(axes_.extents(), axes_.strides(), extents, result_strides)) {
    throw ValidationError(operation, NotCompact{{this->extents().begin(), this->extents().end()},
                                                {this->strides().begin(), this->strides().end()}});
  }
  return result;
}

}  // namespace tenure::inline TENURE_BUILD
