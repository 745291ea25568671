// SPDX-License-Identifier: Apache-2.0
#include "tile_pack.hpp"

#include <cstring>

namespace tenure::cpu {
namespace {

// Calls body(memory, packed) with the addresses of each pair of items.
template <std::size_t ItemBytes, class Memory, class Packed, class Body>
void for_each_item(Memory* memory, Packed* packed, const std::vector<std::int64_t>& rows,
                   const std::vector<std::int64_t>& columns, const Body& body) {
  constexpr auto item_bytes = static_cast<std::int64_t>(ItemBytes);
  for (const std::int64_t column : columns) {
    for (const std::int64_t row : rows) {
      body(memory + (row + column) * item_bytes, packed);
      packed += item_bytes;
    }
  }
}

template <class Memory, class Packed, class Copy>
void for_each_item(std::int64_t item_bytes, Memory* memory, Packed* packed,
                   const std::vector<std::int64_t>& rows, const std::vector<std::int64_t>& columns,
                   const Copy& copy) {
  // A fixed size makes each copy a load and a store.
  switch (item_bytes) {
    case 1:
      for_each_item<1>(memory, packed, rows, columns, [&](auto* m, auto* p) { copy(m, p, 1); });
      break;
    case 2:
      for_each_item<2>(memory, packed, rows, columns, [&](auto* m, auto* p) { copy(m, p, 2); });
      break;
    case 4:
      for_each_item<4>(memory, packed, rows, columns, [&](auto* m, auto* p) { copy(m, p, 4); });
      break;
    case 8:
      for_each_item<8>(memory, packed, rows, columns, [&](auto* m, auto* p) { copy(m, p, 8); });
      break;
    default:
      for_each_item<16>(memory, packed, rows, columns, [&](auto* m, auto* p) { copy(m, p, 16); });
      break;
  }
}

}  // namespace

std::vector<std::int64_t> offsets_of(const LoopNest& nest, int operand, Piece piece) {
  std::vector<std::int64_t> offsets(static_cast<std::size_t>(piece.count));
  for (std::int64_t i = 0; i < piece.count; ++i) {
    offsets[static_cast<std::size_t>(i)] = nest.start(operand) + nest.offset(operand, piece.begin + i);
  }
  return offsets;
}

void pack_tile(const std::byte* matrix, const std::vector<std::int64_t>& rows,
               const std::vector<std::int64_t>& columns, std::int64_t item_bytes, std::byte* packed) {
  for_each_item(item_bytes, matrix, packed, rows, columns,
                [](const std::byte* m, std::byte* p, std::size_t bytes) { std::memcpy(p, m, bytes); });
}

void unpack_tile(const std::byte* packed, const std::vector<std::int64_t>& rows,
                 const std::vector<std::int64_t>& columns, std::int64_t item_bytes, std::byte* matrix) {
  for_each_item(item_bytes, matrix, packed, rows, columns,
                [](std::byte* m, const std::byte* p, std::size_t bytes) { std::memcpy(m, p, bytes); });
}

}  // namespace tenure::cpu
