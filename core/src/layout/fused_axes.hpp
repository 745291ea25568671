// SPDX-License-Identifier: Apache-2.0
// fused_axes: the fewest axes that walk the same elements of several operands.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "tenure/abi/checked_math.hpp"
#include "tenure/layout/layout.hpp"

namespace tenure::inline TENURE_BUILD {

// For work that may visit the indices in any order. Axes of extent 1 are gone; the first operand's strides
// are not negative and do not fall from axis to axis; neighbours that step evenly in every operand are one
// axis. `offsets` is each operand's element of index (0, 0, ...). All in elements.
template <std::size_t operand_count>
class FusedAxes {
 public:
  // The layouts have equal extents and at least one element.
  explicit FusedAxes(const std::array<const Layout*, operand_count>& layouts) noexcept {
    for (std::size_t i = 0; i < operand_count; ++i) offsets_[i] = layouts[i]->offset();
    for (std::int64_t axis = 0; axis < layouts[0]->rank(); ++axis) {
      if (layouts[0]->extent(axis) == 1) continue;
      insert(axis_of(layouts, axis));
    }
    fuse();
  }

  std::int64_t rank() const noexcept { return rank_; }
  std::int64_t extent(std::int64_t axis) const noexcept { return at(axis).extent; }
  std::int64_t stride(std::size_t operand, std::int64_t axis) const noexcept {
    return at(axis).strides[operand];
  }
  std::int64_t offset(std::size_t operand) const noexcept { return offsets_[operand]; }

  // Puts `axis` at `place`; the axes between move up by one.
  void move_axis(std::int64_t axis, std::int64_t place) noexcept {
    for (; axis > place; --axis) std::swap(at(axis), at(axis - 1));
  }

 private:
  struct Axis {
    std::int64_t extent;
    std::array<std::int64_t, operand_count> strides;
  };

  Axis& at(std::int64_t axis) noexcept { return axes_[static_cast<std::size_t>(axis)]; }
  const Axis& at(std::int64_t axis) const noexcept { return axes_[static_cast<std::size_t>(axis)]; }

  // An axis that the first operand walks backwards is turned round in every operand.
  Axis axis_of(const std::array<const Layout*, operand_count>& layouts, std::int64_t axis) noexcept {
    Axis result{layouts[0]->extent(axis), {}};
    const bool backwards = layouts[0]->stride(axis) < 0;
    for (std::size_t i = 0; i < operand_count; ++i) {
      const std::int64_t stride = layouts[i]->stride(axis);
      if (backwards) offsets_[i] += (result.extent - 1) * stride;
      result.strides[i] = backwards ? -stride : stride;
    }
    return result;
  }

  // Keeps the axes in order of the first operand's strides, then the second's, and so on.
  void insert(const Axis& axis) noexcept {
    const auto smaller = [](const Axis& a, const Axis& b) {
      for (std::size_t i = 0; i < operand_count; ++i) {
        const std::int64_t left = std::abs(a.strides[i]);
        const std::int64_t right = std::abs(b.strides[i]);
        if (left != right) return left < right;
      }
      return false;
    };
    std::int64_t place = rank_++;
    for (; place > 0 && smaller(axis, at(place - 1)); --place) at(place) = at(place - 1);
    at(place) = axis;
  }

  static bool evenly(const Axis& fast, const Axis& slow) noexcept {
    for (std::size_t i = 0; i < operand_count; ++i) {
      std::int64_t end = 0;
      if (!abi::checked_multiply(fast.strides[i], fast.extent, end) || end != slow.strides[i]) return false;
    }
    return true;
  }

  void fuse() noexcept {
    std::int64_t kept = 0;
    for (std::int64_t axis = 0; axis < rank_; ++axis) {
      if (kept > 0 && evenly(at(kept - 1), at(axis))) {
        at(kept - 1).extent *= at(axis).extent;
      } else {
        at(kept++) = at(axis);
      }
    }
    rank_ = kept;
  }

  std::int64_t rank_ = 0;
  std::array<std::int64_t, operand_count> offsets_;
  std::array<Axis, static_cast<std::size_t>(Layout::rank_max)> axes_;
};

}  // namespace tenure::inline TENURE_BUILD
