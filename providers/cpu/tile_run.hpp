// SPDX-License-Identifier: Apache-2.0
// tile_run: one thread's walk over some tiles of a program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "tile_program.hpp"

namespace tenure::cpu {

class TileProgram::Run {
 public:
  explicit Run(const TileProgram& program);

  // Blocks of the program's walk.
  void compute(std::int64_t begin, std::int64_t end);
  void check(std::int64_t begin, std::int64_t end);

 private:
  // Calls body(position, count) for each tile, its values located.
  template <class Body>
  void for_each_tile(std::int64_t begin, std::int64_t end, const Body& body);
  void gather_blocks(const TileWalk::Block& block);
  void locate(std::int64_t position, std::int64_t count, std::int64_t row);
  void compute_node(std::size_t node, std::int64_t count);
  void check_argument(const ProgramNode& node, std::int64_t count) const;
  void store(const Output& output, std::int64_t begin, std::int64_t count);
  void stream(const Output& output, std::int64_t begin, std::int64_t count);

  std::byte* block_at(const Value& value) const noexcept;
  std::byte* operand_at(int operand, std::int64_t position) const noexcept;
  // Moves a tile between an operand's memory and scratch.
  template <bool IsStore>
  void move(int operand, std::int64_t begin, std::int64_t count, std::byte* packed, bool is_scalar) const;

  const TileProgram& program_;
  const KernelSet& kernels_;
  std::unique_ptr<std::byte[]> scratch_;
  std::vector<std::byte*> addresses_;  // of each value's tile
  std::int64_t next_elements_ = 0;     // of the tile behind this one in the same row
  std::vector<std::int64_t> in_rows_;  // of gather_blocks
  std::vector<std::int64_t> out_rows_;
};

}  // namespace tenure::cpu
