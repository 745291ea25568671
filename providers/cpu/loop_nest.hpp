// SPDX-License-Identifier: Apache-2.0
// loop_nest: the axes that one operation walks over several strided operands, in their simplest form.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <initializer_list>
#include <span>

namespace tenure::cpu {

// Axes with one extent and a stride for each operand. Strides and offsets are in elements. Few axes of few
// operands need no memory but their own.
class LoopNest {
 public:
  explicit LoopNest(int operand_count)
      : row_(static_cast<std::size_t>(operand_count) + 1), starts_(row_ - 1) {}

  // Appends an axis; one of extent 1 is left out.
  void add_axis(std::int64_t extent, std::span<const std::int64_t> strides);
  void add_axis(std::int64_t extent, std::initializer_list<std::int64_t> strides) {
    add_axis(extent, std::span(strides.begin(), strides.size()));
  }

  // For operations that may visit the elements in any order: walks the first operand forwards, its
  // smallest stride innermost (stride 0 outermost), and fuses what then can be fused.
  void simplify();

  // Fuses neighbours that every operand walks as one axis; keeps the order of the elements. Leaves a nest
  // without elements as it is.
  void fuse();

  // Changes the order of the walk: axis `from` becomes axis `to`, which lies before it.
  void move_axis(int from, int to) noexcept;

  int rank() const noexcept { return rank_; }
  std::int64_t extent(int axis) const noexcept { return at(axis, 0); }
  std::int64_t stride(int operand, int axis) const noexcept { return at(axis, operand + 1); }
  // Where the walk begins, relative to index (0, 0, ...) of the operand.
  std::int64_t start(int operand) const noexcept { return starts_[static_cast<std::size_t>(operand)]; }
  std::int64_t element_count() const noexcept;

  // Whether the operand's elements lie one after the other in the order of the walk.
  bool is_contiguous(int operand) const noexcept;
  // Whether one element of the operand stands for all.
  bool is_constant(int operand) const noexcept;

  // How far a position of the walk is from its beginning, in elements of the operand. Axes before
  // `first_axis` are left out of the walk.
  std::int64_t offset(int operand, std::int64_t position, int first_axis = 0) const noexcept;

 private:
  std::int64_t& at(int axis, int column) noexcept {
    return numbers_[static_cast<std::size_t>(axis) * row_ + static_cast<std::size_t>(column)];
  }
  std::int64_t at(int axis, int column) const noexcept {
    return numbers_[static_cast<std::size_t>(axis) * row_ + static_cast<std::size_t>(column)];
  }
  bool can_fuse(int axis) const noexcept;
  void flip(int axis) noexcept;
  void sort() noexcept;

  std::size_t row_;  // numbers of one axis: its extent, then the strides
  boost::container::small_vector<std::int64_t, 16> numbers_;
  boost::container::small_vector<std::int64_t, 4> starts_;
  int rank_ = 0;
};

}  // namespace tenure::cpu
