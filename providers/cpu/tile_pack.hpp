// SPDX-License-Identifier: Apache-2.0
// tile_pack: one tile of a matrix whose rows and columns are walks over several axes, moved to and from
// column-major scratch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "loop_nest.hpp"

namespace tenure::cpu {

// Consecutive positions of a nest's walk.
struct Piece {
  std::int64_t begin;
  std::int64_t count;
};

// Where each position of a piece lies, in elements of the operand.
std::vector<std::int64_t> offsets_of(const LoopNest& nest, int operand, Piece piece);

// packed[i + j * rows.size()] = matrix[rows[i] + columns[j]], with items of 1, 2, 4, 8 or 16 bytes.
void pack_tile(const std::byte* matrix, const std::vector<std::int64_t>& rows,
               const std::vector<std::int64_t>& columns, std::int64_t item_bytes, std::byte* packed);

// The other way round.
void unpack_tile(const std::byte* packed, const std::vector<std::int64_t>& rows,
                 const std::vector<std::int64_t>& columns, std::int64_t item_bytes, std::byte* matrix);

}  // namespace tenure::cpu
