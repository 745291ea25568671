// SPDX-License-Identifier: Apache-2.0
#include "tile_program.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "streaming.hpp"
#include "tile_run.hpp"

namespace tenure::cpu {
namespace {

// From this length on a row of its own is worth a tile, and then needs no gathering when it is contiguous.
constexpr std::int64_t long_row_elements = 128;

// Scratch of one thread that stays in the first-level cache.
constexpr std::size_t scratch_bytes = 32768;
constexpr std::int64_t tile_elements_min = 64;
constexpr std::int64_t tile_elements_max = 4096;

// What one kernel call takes where no scratch limits it.
constexpr std::int64_t direct_tile_elements = 16384;

// Rows taken together for the sake of an input that runs across them: two cache lines of 8-byte items. Their
// tiles are long, so that the other operands are read in long pieces; a block stays in the second-level
// cache.
constexpr std::int64_t rows_in_block = 16;
constexpr std::int64_t block_tile_elements = 1024;
constexpr std::int64_t cross_axis_extent_min = 4;

// First and last byte that an operand of a nest touches.
std::pair<const std::byte*, const std::byte*> byte_range(const Operand& operand) noexcept {
  std::int64_t low = 0;
  std::int64_t high = 1;
  for (std::size_t axis = 0; axis < operand.extents.size(); ++axis) {
    const std::int64_t reach = (operand.extents[axis] - 1) * operand.strides[axis];
    (reach < 0 ? low : high) += reach;
  }
  return {operand.address + low * operand.element_bytes(),
          operand.address + high * operand.element_bytes() - 1};
}

}  // namespace

TileProgram::TileProgram(const Executor& executor, std::span<const Operand> inputs,
                         std::span<const Operand> outputs, std::span<const tenure_scalar> constants,
                         std::span<const ProgramNode> nodes, std::span<const std::uint32_t> output_values)
    : executor_(executor),
      nest_(static_cast<int>(inputs.size() + outputs.size())),
      nodes_(nodes.begin(), nodes.end()) {
  operands_.reserve(inputs.size() + outputs.size());
  operands_.insert(operands_.end(), outputs.begin(), outputs.end());
  operands_.insert(operands_.end(), inputs.begin(), inputs.end());
  for (const std::uint32_t value : output_values) {
    outputs_.push_back({value, static_cast<int>(outputs_.size())});
  }
  values_.reserve(inputs.size() + constants.size() + nodes.size());
  add_axes();
  add_inputs(inputs.size());
  add_constants(constants);
  add_nodes();
  place_outputs();
  assign_slots();
  size_tiles();
}

void TileProgram::add_axes() {
  std::vector<std::int64_t> strides(operands_.size());
  const std::size_t rank = operands_.empty() ? 0 : operands_[0].extents.size();
  for (std::size_t axis = 0; axis < rank; ++axis) {
    for (std::size_t i = 0; i < operands_.size(); ++i) strides[i] = operands_[i].strides[axis];
    nest_.add_axis(operands_[0].extents[axis], strides);
  }
  nest_.simplify();
  has_long_rows_ = nest_.rank() == 1 || (nest_.rank() > 1 && nest_.extent(0) >= long_row_elements);
  walk_.row_elements = has_long_rows_ ? nest_.extent(0) : nest_.element_count();
  walk_.row_count = nest_.element_count() / walk_.row_elements;
  if (has_long_rows_) find_cross_axis();
}

// Makes an axis along which some input is contiguous the second one, and lets its rows be taken together.
void TileProgram::find_cross_axis() {
  for (std::size_t i = outputs_.size(); i < operands_.size(); ++i) {
    const int operand = static_cast<int>(i);
    if (nest_.stride(operand, 0) == 0 || nest_.stride(operand, 0) == 1) continue;
    for (int axis = 1; axis < nest_.rank(); ++axis) {
      if (nest_.stride(operand, axis) != 1 || nest_.extent(axis) < cross_axis_extent_min) continue;
      nest_.move_axis(axis, 1);
      walk_.rows_in_plane = nest_.extent(1);
      walk_.rows_in_block = std::min(rows_in_block, walk_.rows_in_plane);
      return;
    }
  }
}

bool TileProgram::runs_across(int operand) const noexcept {
  return walk_.rows_in_block > 1 && nest_.stride(operand, 1) == 1;
}

bool TileProgram::is_reached_directly(int operand) const noexcept {
  return nest_.is_contiguous(operand) || (has_long_rows_ && nest_.stride(operand, 0) == 1);
}

bool TileProgram::overlap(int operand, int other) const noexcept {
  const auto [first, last] = byte_range(operands_[static_cast<std::size_t>(operand)]);
  const auto [other_first, other_last] = byte_range(operands_[static_cast<std::size_t>(other)]);
  return first <= other_last && other_first <= last;
}

bool TileProgram::overlaps_output(int input) const noexcept {
  return std::ranges::any_of(outputs_, [&](const Output& output) { return overlap(input, output.operand); });
}

bool TileProgram::overlaps_input(int output) const noexcept {
  for (std::size_t i = outputs_.size(); i < operands_.size(); ++i) {
    if (overlap(output, static_cast<int>(i))) return true;
  }
  return false;
}

void TileProgram::add_inputs(std::size_t count) {
  const std::size_t first = operands_.size() - count;
  for (std::size_t i = 0; i < count; ++i) {
    const int operand = static_cast<int>(first + i);
    Value value{.item_bytes = static_cast<std::size_t>(operands_[first + i].element_bytes())};
    const bool is_contiguous = is_reached_directly(operand);
    value.is_scalar =
        !is_contiguous && (nest_.is_constant(operand) || (has_long_rows_ && nest_.stride(operand, 0) == 0));
    // An input that is also a result may be overwritten by another result before it is stored.
    const bool is_result =
        std::ranges::any_of(outputs_, [i](const Output& output) { return output.value == i; });
    if ((is_contiguous || value.is_scalar) && !(is_result && overlaps_output(operand))) {
      value.place = Place::operand;
    } else {
      value.is_scalar = false;
      if (!is_contiguous && runs_across(operand)) value.place = Place::block;
    }
    value.operand = operand;
    values_.push_back(value);
  }
}

void TileProgram::add_constants(std::span<const tenure_scalar> constants) {
  for (const tenure_scalar& constant : constants) {
    Constant copy;
    std::memcpy(copy.element, constant.value, sizeof copy.element);
    values_.push_back({.item_bytes = abi::find_dtype(constant.dtype)->bytes,
                       .place = Place::constant,
                       .is_scalar = true,
                       .index = constants_.size()});
    constants_.push_back(copy);
  }
}

void TileProgram::add_nodes() {
  for (std::size_t node = 0; node < nodes_.size(); ++node) {
    bool is_scalar = true;
    for (std::uint32_t i = 0; i < nodes_[node].argument_count; ++i) {
      Value& argument = values_[nodes_[node].arguments[i]];
      argument.last_use = static_cast<std::int64_t>(node);
      is_scalar = is_scalar && argument.is_scalar;
    }
    values_.push_back({.item_bytes = abi::dtype_table[nodes_[node].dtype].bytes, .is_scalar = is_scalar});
  }
}

// Lets nodes write into the outputs' memory. Where an output shares memory with an input, its elements must
// not be written before every node has read the input's.
void TileProgram::place_outputs() {
  std::int64_t last_reader = -1;
  const std::size_t first_input = outputs_.size();
  for (std::size_t i = first_input; i < operands_.size(); ++i) {
    if (!overlaps_output(static_cast<int>(i))) continue;
    last_reader = std::max(last_reader, values_[i - first_input].last_use);
  }
  for (Output& output : outputs_) {
    if (streams(output)) {
      output.store = Store::streaming;
      is_streaming_ = true;
      continue;
    }
    Value& value = values_[output.value];
    const auto node = static_cast<std::int64_t>(output.value) - static_cast<std::int64_t>(node_value(0));
    if (node < last_reader || node < 0 || value.is_scalar || value.place != Place::slot) continue;
    if (!is_reached_directly(output.operand)) continue;
    value.place = Place::operand;
    value.operand = output.operand;
    output.store = Store::none;
  }
}

// In place the lines are read anyway.
bool TileProgram::streams(const Output& output) const noexcept {
  const std::int64_t item_bytes = operands_[static_cast<std::size_t>(output.operand)].element_bytes();
  return executor_.streams(nest_.element_count() * item_bytes) && is_reached_directly(output.operand) &&
         !values_[output.value].is_scalar && !overlaps_input(output.operand);
}

// Gives every value without a place a slot; a slot is used again after the last node that reads its value,
// and by that node itself where its result is of the same size.
void TileProgram::assign_slots() {
  for (const Output& output : outputs_)
    values_[output.value].last_use = static_cast<std::int64_t>(nodes_.size());
  std::vector<std::size_t> free_slots;
  const auto take_slot = [&](Value& value) {
    if (value.place == Place::block && value.last_use >= 0) value.index = block_count_++;
    if (value.place != Place::slot || value.last_use < 0) return;
    if (free_slots.empty()) {
      value.index = slot_count_++;
    } else {
      value.index = free_slots.back();
      free_slots.pop_back();
    }
  };
  // Inputs are loaded before the first node.
  for (std::size_t i = 0; i < node_value(0); ++i) take_slot(values_[i]);
  for (std::size_t node = 0; node < nodes_.size(); ++node) {
    Value& result = values_[node_value(node)];
    const auto free_arguments = [&](bool are_like_result) {
      for (std::size_t i = 0; i < node_value(node); ++i) {
        const Value& value = values_[i];
        const bool is_like_result =
            value.item_bytes == result.item_bytes && value.is_scalar == result.is_scalar;
        const bool is_last = value.last_use == static_cast<std::int64_t>(node);
        if (value.place == Place::slot && is_last && is_like_result == are_like_result) {
          free_slots.push_back(value.index);
        }
      }
    };
    free_arguments(true);
    take_slot(result);
    free_arguments(false);
  }
}

void TileProgram::size_tiles() {
  std::size_t item_bytes = 1;
  for (const Value& value : values_) item_bytes = std::max(item_bytes, value.item_bytes);
  const std::size_t slots = std::max<std::size_t>(slot_count_, 1);
  std::size_t tile_bytes = scratch_bytes / slots;
  if (is_streaming_) tile_bytes = std::min<std::size_t>(tile_bytes, streaming_piece_bytes);
  const auto fitting = static_cast<std::int64_t>(tile_bytes / item_bytes);
  walk_.tile_elements = std::clamp(fitting / 64 * 64, tile_elements_min, tile_elements_max);
  if (slot_count_ == 0 && nodes_.size() == 1) walk_.tile_elements = direct_tile_elements;
  if (block_count_ != 0) walk_.tile_elements = std::min(walk_.tile_elements, block_tile_elements);
  walk_.tile_elements = std::min(walk_.tile_elements, walk_.row_elements);
  slot_bytes_ = static_cast<std::size_t>(walk_.tile_elements) * item_bytes;
  block_bytes_ = slot_bytes_ * static_cast<std::size_t>(walk_.rows_in_block);
}

Division TileProgram::divide() const noexcept {
  std::int64_t cost = 1;
  for (const ProgramNode& node : nodes_) cost += node.cost;
  const std::int64_t blocks = walk_.block_count();
  return divide_work(executor_, blocks, std::max<std::int64_t>(1, nest_.element_count() / blocks * cost));
}

void TileProgram::run() const {
  for_each_task(executor_, divide(),
                [&](std::int64_t begin, std::int64_t end) { Run(*this).compute(begin, end); });
}

void TileProgram::check() const {
  for_each_task(executor_, divide(),
                [&](std::int64_t begin, std::int64_t end) { Run(*this).check(begin, end); });
}

}  // namespace tenure::cpu
