// SPDX-License-Identifier: Apache-2.0
#include "loop_nest.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace tenure::cpu {

void LoopNest::add_axis(std::int64_t extent, std::span<const std::int64_t> strides) {
  if (extent == 1) return;
  numbers_.push_back(extent);
  numbers_.insert(numbers_.end(), strides.begin(), strides.end());
  ++rank_;
}

void LoopNest::simplify() {
  for (int axis = 0; axis < rank_; ++axis) {
    if (stride(0, axis) < 0) flip(axis);
  }
  sort();
  fuse();
}

void LoopNest::flip(int axis) noexcept {
  const std::int64_t last = extent(axis) - 1;
  for (int operand = 0; operand + 1 < static_cast<int>(row_); ++operand) {
    std::int64_t& stride = at(axis, operand + 1);
    starts_[static_cast<std::size_t>(operand)] += last * stride;
    stride = -stride;
  }
}

void LoopNest::sort() noexcept {
  const auto key = [this](int axis) {
    const std::int64_t stride = at(axis, 1);
    return stride == 0 ? std::numeric_limits<std::int64_t>::max() : stride;
  };
  // Insertion keeps axes of equal strides in their order; there are few axes, and most are sorted.
  for (int axis = 1; axis < rank_; ++axis) {
    for (int i = axis; i > 0 && key(i) < key(i - 1); --i) {
      std::swap_ranges(&at(i, 0), &at(i, 0) + row_, &at(i - 1, 0));
    }
  }
}

bool LoopNest::can_fuse(int axis) const noexcept {
  for (int column = 1; column < static_cast<int>(row_); ++column) {
    if (at(axis + 1, column) != at(axis, column) * at(axis, 0)) return false;
  }
  return true;
}

void LoopNest::fuse() {
  if (element_count() == 0) return;
  int kept = 0;
  for (int axis = 1; axis < rank_; ++axis) {
    // The candidate stands right behind what it may be fused with.
    if (axis != kept + 1) std::copy_n(&at(axis, 0), row_, &at(kept + 1, 0));
    if (can_fuse(kept)) {
      at(kept, 0) *= at(kept + 1, 0);
    } else {
      ++kept;
    }
  }
  if (rank_ != 0) rank_ = kept + 1;
  numbers_.resize(static_cast<std::size_t>(rank_) * row_);
}

void LoopNest::move_axis(int from, int to) noexcept {
  std::rotate(&at(to, 0), &at(from, 0), &at(from, 0) + row_);
}

std::int64_t LoopNest::element_count() const noexcept {
  // Beside an extent of 0 the others may have any product.
  for (int axis = 0; axis < rank_; ++axis) {
    if (extent(axis) == 0) return 0;
  }
  std::int64_t count = 1;
  for (int axis = 0; axis < rank_; ++axis) count *= extent(axis);
  return count;
}

bool LoopNest::is_contiguous(int operand) const noexcept {
  std::int64_t expected = 1;
  for (int axis = 0; axis < rank_; ++axis) {
    if (stride(operand, axis) != expected) return false;
    expected *= extent(axis);
  }
  return true;
}

bool LoopNest::is_constant(int operand) const noexcept {
  for (int axis = 0; axis < rank_; ++axis) {
    if (stride(operand, axis) != 0) return false;
  }
  return true;
}

std::int64_t LoopNest::offset(int operand, std::int64_t position, int first_axis) const noexcept {
  std::int64_t offset = 0;
  for (int axis = first_axis; axis < rank_ && position != 0; ++axis) {
    // Most walks have few axes, and divisions are slow.
    if (position < extent(axis)) return offset + position * stride(operand, axis);
    offset += position % extent(axis) * stride(operand, axis);
    position /= extent(axis);
  }
  return offset;
}

}  // namespace tenure::cpu
