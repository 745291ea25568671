// SPDX-License-Identifier: Apache-2.0
// register_tile: a square of items that is transposed in vector registers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace tenure::cpu {
namespace {

#if defined(__AVX512F__)
constexpr std::size_t register_bytes = 64;
#elif defined(__AVX2__)
constexpr std::size_t register_bytes = 32;
#else
constexpr std::size_t register_bytes = 16;
#endif

// Items along one side: a register full, but no more than 16 registers of the smallest items.
template <class Item>
constexpr std::size_t tile_side = register_bytes / sizeof(Item) < 16 ? register_bytes / sizeof(Item) : 16;

template <class Item, std::size_t Side>
struct VectorOf {
  typedef Item type __attribute__((vector_size(sizeof(Item) * Side)));
  // The same in memory that is aligned for one item only.
  typedef Item in_memory __attribute__((vector_size(sizeof(Item) * Side), aligned(sizeof(Item)), may_alias));
};

// One step of a transposition by blocks: two rows, `Distance` apart, exchange the items of their blocks off
// the diagonal. `Lower` is the row with the smaller number.
template <bool Lower, std::size_t Distance, class Vector, std::size_t... Lane>
inline Vector exchange(Vector a, Vector b, std::index_sequence<Lane...>) noexcept {
  constexpr std::size_t side = sizeof...(Lane);
  if constexpr (Lower) {
    return __builtin_shufflevector(a, b, ((Lane & Distance) == 0 ? Lane : side + Lane - Distance)...);
  } else {
    return __builtin_shufflevector(a, b, ((Lane & Distance) == 0 ? Lane + Distance : side + Lane)...);
  }
}

template <std::size_t Distance, class Vector, std::size_t Side>
inline void transpose_rows(Vector (&rows)[Side]) noexcept {
  if constexpr (Distance < Side) {
    using Lanes = std::make_index_sequence<Side>;
    for (std::size_t i = 0; i < Side; ++i) {
      if ((i & Distance) != 0) continue;
      const Vector lower = rows[i];
      const Vector upper = rows[i + Distance];
      rows[i] = exchange<true, Distance>(lower, upper, Lanes{});
      rows[i + Distance] = exchange<false, Distance>(lower, upper, Lanes{});
    }
    transpose_rows<Distance * 2>(rows);
  }
}

// target[out_rows[j] + i] = source[in_rows[i] + j] for i and j below the side.
template <class Item>
inline void transpose_tile(const Item* source, const std::int64_t* in_rows, Item* target,
                           const std::int64_t* out_rows) noexcept {
  constexpr std::size_t side = tile_side<Item>;
  if constexpr (sizeof(Item) == 16) {
    for (std::size_t j = 0; j < side; ++j) {
      for (std::size_t i = 0; i < side; ++i) (target + out_rows[j])[i] = (source + in_rows[i])[j];
    }
  } else {
    using Vector = typename VectorOf<Item, side>::type;
    using Loose = typename VectorOf<Item, side>::in_memory;
    Vector rows[side];
    for (std::size_t i = 0; i < side; ++i) rows[i] = *reinterpret_cast<const Loose*>(source + in_rows[i]);
    transpose_rows<1>(rows);
    for (std::size_t j = 0; j < side; ++j) *reinterpret_cast<Loose*>(target + out_rows[j]) = rows[j];
  }
}

}  // namespace
}  // namespace tenure::cpu
