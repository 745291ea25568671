// SPDX-License-Identifier: Apache-2.0
// reading: a view of an owner that is larger than what is read: axes in another order, parts, steps,
// backwards.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tenure/tenure.hpp"

namespace tenure::test {

using Extents = std::vector<std::int64_t>;

// Where index i of an axis lies on the axis of the owner.
enum class Walk {
  whole,
  part,
  every_other,
  backwards,
  repeated  // of one element; never written
};

struct AxisWalk {
  Walk walk;
  std::int64_t extent;  // that is read

  std::int64_t owner_extent() const {
    switch (walk) {
      case Walk::part:
        return extent + 3;
      case Walk::every_other:
        return 2 * extent + 1;
      case Walk::repeated:
        return 1;
      default:
        return extent;
    }
  }
  Slice slice() const {
    switch (walk) {
      case Walk::part:
        return {1, 1 + extent, 1};
      case Walk::every_other:
        return {1, 1 + 2 * extent, 2};
      case Walk::backwards:
        return {std::nullopt, std::nullopt, -1};
      default:
        return {};
    }
  }
};

struct Reading {
  std::vector<std::int64_t> order;  // axis i is axis order[i] of the owner
  std::vector<AxisWalk> walks;

  Extents owner_extents() const {
    Extents extents(order.size());
    for (std::size_t axis = 0; axis < order.size(); ++axis) {
      extents[static_cast<std::size_t>(order[axis])] = walks[axis].owner_extent();
    }
    return extents;
  }
  // Repeated axes still have extent 1.
  template <class View>
  View of(View whole) const {
    std::vector<Slice> slices;
    for (const AxisWalk& walk : walks) slices.push_back(walk.slice());
    const View permuted = whole.permute(order);
    return permuted.slice(std::span<const Slice>(slices));
  }
};

}  // namespace tenure::test
