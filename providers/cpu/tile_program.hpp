// SPDX-License-Identifier: Apache-2.0
// tile_program: an elementwise program over strided operands, planned once and run tile by tile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "executor.hpp"
#include "loop_nest.hpp"
#include "operand.hpp"
#include "tile_walk.hpp"

namespace tenure::cpu {

// What the last argument of a node, which then has integers, must not hold.
enum class Forbidden : std::uint8_t {
  nothing,
  zero,      // a divisor
  negative,  // an exponent
};

struct ProgramNode {
  NodeKernel kernel;  // null: computes nothing, its arguments are only checked
  std::uint32_t arguments[3];
  std::uint32_t argument_count;
  std::size_t dtype;    // of the result
  Forbidden forbidden;  // checked before anything is written
  std::int64_t cost;    // of one element, relative to an addition
};

// Values are numbered: the inputs, the constants, the nodes, in order. A tile of a value lies in an operand's
// own memory where that is contiguous or one element, otherwise in a slot of scratch. Built by one thread,
// run by many.
class TileProgram {
 public:
  // A node uses smaller numbers than its own; `output_values` has one for each output. All operands have the
  // same extents and at least one element.
  TileProgram(const Executor& executor, std::span<const Operand> inputs, std::span<const Operand> outputs,
              std::span<const tenure_scalar> constants, std::span<const ProgramNode> nodes,
              std::span<const std::uint32_t> output_values);

  // Computes the outputs. No last argument may hold what its node forbids.
  void run() const;

  // Throws INVALID_ARGUMENT where a last argument holds what its node forbids. Build the program without
  // outputs.
  void check() const;

 private:
  enum class Place : std::uint8_t {
    operand,   // an operand's own memory
    constant,  // constants_
    slot,      // scratch for one tile
    block      // scratch for one block of tiles: an input whose memory runs across the rows
  };
  struct Value {
    std::size_t item_bytes;
    Place place = Place::slot;
    bool is_scalar = false;      // one element stands for all of a tile
    int operand = -1;            // whose elements it has, or whose memory it lies in
    std::size_t index = 0;       // of the constant, the slot or the block
    std::int64_t last_use = -1;  // the last node that reads it, or the number of nodes for results
  };
  enum class Store : std::uint8_t {
    none,      // the value's place is the output's memory
    plain,     // moved from the value's place
    streaming  // the same past the caches
  };
  struct Output {
    std::uint32_t value;
    int operand;
    Store store = Store::plain;
  };
  struct alignas(16) Constant {
    std::byte element[16];
  };
  class Run;

  void add_axes();
  void find_cross_axis();
  void add_inputs(std::size_t count);
  void add_constants(std::span<const tenure_scalar> constants);
  void add_nodes();
  void place_outputs();
  bool streams(const Output& output) const noexcept;
  void assign_slots();
  void size_tiles();
  bool is_reached_directly(int operand) const noexcept;
  bool runs_across(int operand) const noexcept;
  bool overlap(int operand, int other) const noexcept;
  bool overlaps_output(int input) const noexcept;
  bool overlaps_input(int output) const noexcept;
  Division divide() const noexcept;
  std::uint32_t node_value(std::size_t node) const noexcept {
    return static_cast<std::uint32_t>(values_.size() - nodes_.size() + node);
  }

  const Executor& executor_;
  std::vector<Operand> operands_;  // outputs first: the first one decides the order of the walk
  LoopNest nest_;
  std::vector<Constant> constants_;
  std::vector<ProgramNode> nodes_;
  std::vector<Value> values_;
  std::vector<Output> outputs_;
  std::size_t slot_count_ = 0;
  std::size_t slot_bytes_ = 0;
  std::size_t block_count_ = 0;
  std::size_t block_bytes_ = 0;
  TileWalk walk_;
  bool is_streaming_ = false;   // some output is stored past the caches
  bool has_long_rows_ = false;  // a row is the innermost axis; otherwise everything is one row
};

}  // namespace tenure::cpu
