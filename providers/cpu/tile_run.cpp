// SPDX-License-Identifier: Apache-2.0
#include "tile_run.hpp"

#include <algorithm>
#include <string>

#include "kernels/function_cost.hpp"
#include "streaming.hpp"
#include "tenure/sdk/error.hpp"

namespace tenure::cpu {

TileProgram::Run::Run(const TileProgram& program)
    : program_(program), kernels_(program.executor_.kernels), addresses_(program.values_.size()) {
  const std::size_t slots_bytes = program.slot_count_ * program.slot_bytes_;
  const std::size_t bytes = slots_bytes + program.block_count_ * program.block_bytes_;
  if (bytes == 0) return;
  scratch_ = std::make_unique_for_overwrite<std::byte[]>(bytes);
  for (std::size_t i = 0; i < program.values_.size(); ++i) {
    const Value& value = program.values_[i];
    if (value.place == Place::slot) addresses_[i] = scratch_.get() + value.index * program.slot_bytes_;
  }
  if (program.block_count_ == 0) return;
  in_rows_.resize(static_cast<std::size_t>(program.walk_.tile_elements));
  for (std::int64_t row = 0; row < program.walk_.rows_in_block; ++row) {
    out_rows_.push_back(row * program.walk_.tile_elements);
  }
}

template <class Body>
void TileProgram::Run::for_each_tile(std::int64_t begin, std::int64_t end, const Body& body) {
  for (std::int64_t number = begin; number < end; ++number) {
    const TileWalk::Block block = program_.walk_.block(number);
    if (program_.block_count_ != 0) gather_blocks(block);
    for (std::int64_t row = 0; row < block.rows; ++row) {
      const std::int64_t position = block.position + row * program_.walk_.row_elements;
      locate(position, block.elements, row);
      const std::int64_t left = program_.walk_.row_elements - position % program_.walk_.row_elements;
      next_elements_ = program_.is_streaming_ ? std::min(block.elements, left - block.elements) : 0;
      body(position, block.elements);
    }
  }
}

void TileProgram::Run::compute(std::int64_t begin, std::int64_t end) {
  const StreamFence fence;
  for_each_tile(begin, end, [this](std::int64_t position, std::int64_t count) {
    for (std::size_t node = 0; node < program_.nodes_.size(); ++node) compute_node(node, count);
    for (const Output& output : program_.outputs_) {
      if (output.store == Store::plain) store(output, position, count);
      if (output.store == Store::streaming) stream(output, position, count);
    }
  });
}

void TileProgram::Run::check(std::int64_t begin, std::int64_t end) {
  for_each_tile(begin, end, [this](std::int64_t, std::int64_t count) {
    for (std::size_t node = 0; node < program_.nodes_.size(); ++node) {
      if (program_.nodes_[node].forbidden != Forbidden::nothing) check_argument(program_.nodes_[node], count);
      if (program_.nodes_[node].kernel != nullptr) compute_node(node, count);
    }
  });
}

std::byte* TileProgram::Run::block_at(const Value& value) const noexcept {
  return scratch_.get() + program_.slot_count_ * program_.slot_bytes_ + value.index * program_.block_bytes_;
}

// Turns the inputs that run across the rows round, for all tiles of a block.
void TileProgram::Run::gather_blocks(const TileWalk::Block& block) {
  for (const Value& value : program_.values_) {
    if (value.place != Place::block || value.last_use < 0) continue;
    const std::int64_t stride = program_.nest_.stride(value.operand, 0);
    for (std::size_t i = 0; i < in_rows_.size(); ++i) in_rows_[i] = static_cast<std::int64_t>(i) * stride;
    const TransposeKernel turn = kernels_.copy->transpose[item_index(value.item_bytes)];
    turn(operand_at(value.operand, block.position), in_rows_.data(), block_at(value), out_rows_.data(),
         block.elements, block.rows);
  }
}

std::byte* TileProgram::Run::operand_at(int operand, std::int64_t position) const noexcept {
  const Operand& found = program_.operands_[static_cast<std::size_t>(operand)];
  const std::int64_t offset = program_.nest_.start(operand) + program_.nest_.offset(operand, position);
  return found.address + offset * found.element_bytes();
}

// Finds the addresses of a tile's values and gathers the inputs that have none.
void TileProgram::Run::locate(std::int64_t position, std::int64_t count, std::int64_t row) {
  for (std::size_t i = 0; i < program_.values_.size(); ++i) {
    const Value& value = program_.values_[i];
    switch (value.place) {
      case Place::constant:
        addresses_[i] = const_cast<std::byte*>(program_.constants_[value.index].element);
        break;
      case Place::operand:
        addresses_[i] = operand_at(value.operand, position);
        break;
      case Place::block: {
        const std::int64_t first =
            row * program_.walk_.tile_elements * static_cast<std::int64_t>(value.item_bytes);
        addresses_[i] = block_at(value) + first;
        break;
      }
      case Place::slot:
        if (value.operand >= 0 && value.last_use >= 0)
          move<false>(value.operand, position, count, addresses_[i], false);
        break;
    }
  }
}

void TileProgram::Run::compute_node(std::size_t node, std::int64_t count) {
  const ProgramNode& planned = program_.nodes_[node];
  const Value& result = program_.values_[program_.node_value(node)];
  if (result.last_use < 0) return;
  const void* arguments[3] = {};
  unsigned scalar_mask = 0;
  for (std::uint32_t i = 0; i < planned.argument_count; ++i) {
    arguments[i] = addresses_[planned.arguments[i]];
    const Value& value = program_.values_[planned.arguments[i]];
    if (value.is_scalar) {
      scalar_mask |= 1u << i;
    } else if (value.place == Place::operand && !fetches_ahead(planned.cost)) {
      const auto item_bytes = static_cast<std::int64_t>(value.item_bytes);
      fetch_ahead(addresses_[planned.arguments[i]] + count * item_bytes, next_elements_ * item_bytes);
    }
  }
  void* const out = addresses_[program_.node_value(node)];
  if (result.is_scalar) {
    planned.kernel(arguments, 0, out, 1);
  } else {
    planned.kernel(arguments, scalar_mask, out, count);
  }
}

void TileProgram::Run::check_argument(const ProgramNode& node, std::int64_t count) const {
  const std::uint32_t argument = node.arguments[node.argument_count - 1];
  const Value& value = program_.values_[argument];
  const bool is_zero = node.forbidden == Forbidden::zero;
  const std::size_t item = item_index(value.item_bytes);
  const ScanKernel scan = is_zero ? kernels_.copy->has_zero[item] : kernels_.copy->has_negative[item];
  if (scan(addresses_[argument], value.is_scalar ? 1 : count) == 0) return;
  throw sdk::Error(TENURE_INVALID_ARGUMENT, std::string(is_zero ? "a divisor of " : "an exponent of ") +
                                                std::string(abi::dtype_table[node.dtype].name) +
                                                (is_zero ? " is 0" : " is negative") +
                                                "; nothing was written");
}

void TileProgram::Run::store(const Output& output, std::int64_t begin, std::int64_t count) {
  move<true>(output.operand, begin, count, addresses_[output.value],
             program_.values_[output.value].is_scalar);
}

void TileProgram::Run::stream(const Output& output, std::int64_t begin, std::int64_t count) {
  constexpr std::int64_t one_row[] = {0};
  const auto item_bytes = static_cast<std::int64_t>(program_.values_[output.value].item_bytes);
  kernels_.copy->stream(addresses_[output.value], 0, operand_at(output.operand, begin), one_row, item_bytes,
                        1, count * item_bytes);
}

template <bool IsStore>
void TileProgram::Run::move(int operand, std::int64_t begin, std::int64_t count, std::byte* packed,
                            bool is_scalar) const {
  const LoopNest& nest = program_.nest_;
  const std::int64_t item_bytes = program_.operands_[static_cast<std::size_t>(operand)].element_bytes();
  const PlaneKernel kernel = kernels_.copy->plane[item_index(static_cast<std::size_t>(item_bytes))];
  const std::int64_t n0 = nest.rank() > 0 ? nest.extent(0) : 1;
  const std::int64_t n1 = nest.rank() > 1 ? nest.extent(1) : 1;
  const Plane plane{nest.rank() > 0 ? nest.stride(operand, 0) : 0,
                    nest.rank() > 1 ? nest.stride(operand, 1) : 0};
  while (count > 0) {
    // Whole rows where a row begins here, otherwise the rest of this one.
    const std::int64_t first = begin % n0;
    const bool is_whole = first == 0 && count >= n0;
    const std::int64_t length = is_whole ? n0 : std::min(n0 - first, count);
    const std::int64_t rows = is_whole ? std::min(count / n0, n1 - begin / n0 % n1) : 1;
    std::byte* const memory = operand_at(operand, begin);
    const Plane packed_plane = is_scalar ? Plane{0, 0} : Plane{1, length};
    if constexpr (IsStore) {
      kernel(packed, packed_plane, memory, plane, length, rows);
    } else {
      kernel(memory, plane, packed, packed_plane, length, rows);
    }
    begin += length * rows;
    count -= length * rows;
    if (!is_scalar) packed += length * rows * item_bytes;
  }
}

}  // namespace tenure::cpu
