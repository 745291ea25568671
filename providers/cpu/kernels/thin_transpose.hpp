// SPDX-License-Identifier: Apache-2.0
// thin_transpose: a transposition of which one side is shorter than a register tile, as a few components that
// are taken apart or put together.
#pragma once

#include "register_tile.hpp"

namespace tenure::cpu {
namespace {

// More components are left to plain loops, which then are no slower.
constexpr std::size_t thin_count_max = 7;

// Item t of the register full number `number` of a sequence comes from item `lane` of register `source`.
struct ThinPlace {
  std::size_t source;
  std::size_t lane;
};

// Taking apart: register `number` has component `number` of Side groups of Count items.
template <std::size_t Count, std::size_t Side>
struct TakeApart {
  static constexpr ThinPlace place(std::size_t number, std::size_t t) noexcept {
    return {(t * Count + number) / Side, (t * Count + number) % Side};
  }
};

// Putting together: the reverse.
template <std::size_t Count, std::size_t Side>
struct PutTogether {
  static constexpr ThinPlace place(std::size_t number, std::size_t t) noexcept {
    return {(number * Side + t) % Count, (number * Side + t) / Count};
  }
};

// What `found` has of the sources before Source, with what Source has.
template <class Order, std::size_t Number, std::size_t Source, class Vector, std::size_t... T>
inline Vector merge(Vector found, Vector source, std::index_sequence<T...>) noexcept {
  constexpr std::size_t side = sizeof...(T);
  return __builtin_shufflevector(
      found, source, (Order::place(Number, T).source == Source ? side + Order::place(Number, T).lane : T)...);
}

template <class Order, std::size_t Number, class Vector, std::size_t Count, std::size_t... Source,
          std::size_t... T>
inline Vector collect(const Vector (&sources)[Count], std::index_sequence<Source...>,
                      [[maybe_unused]] std::index_sequence<T...> lanes) noexcept {
  Vector found = __builtin_shufflevector(
      sources[0], sources[1],
      (Order::place(Number, T).source <= 1
           ? Order::place(Number, T).source * sizeof...(T) + Order::place(Number, T).lane
           : T)...);
  ((found = merge<Order, Number, Source + 2>(found, sources[Source + 2], lanes)), ...);
  return found;
}

// Registers of `Count` sources, in their order, to those of as many targets.
template <class Order, class Vector, std::size_t Count, std::size_t... Number>
inline void rearrange(Vector (&registers)[Count], std::index_sequence<Number...>) noexcept {
  constexpr std::size_t side = sizeof(Vector) / sizeof(registers[0][0]);
  const Vector found[] = {collect<Order, Number>(registers, std::make_index_sequence<Count - 2>{},
                                                 std::make_index_sequence<side>{})...};
  ((registers[Number] = found[Number]), ...);
}

// Groups of Count items, one behind the other in `source`, taken apart: component c of group i goes to
// target[rows[c] + i]. Returns how many of `groups` are done.
template <class Item, std::size_t Count>
inline std::int64_t take_apart(const Item* source, Item* target, const std::int64_t* rows,
                               std::int64_t groups) noexcept {
  constexpr std::size_t side = tile_side<Item>;
  using Vector = typename VectorOf<Item, side>::type;
  using Loose = typename VectorOf<Item, side>::in_memory;
  std::int64_t i = 0;
  for (; i + static_cast<std::int64_t>(side) <= groups; i += static_cast<std::int64_t>(side)) {
    const Item* const from = source + i * static_cast<std::int64_t>(Count);
    Vector registers[Count];
    for (std::size_t c = 0; c < Count; ++c) registers[c] = *reinterpret_cast<const Loose*>(from + c * side);
    rearrange<TakeApart<Count, side>>(registers, std::make_index_sequence<Count>{});
    for (std::size_t c = 0; c < Count; ++c) *reinterpret_cast<Loose*>(target + rows[c] + i) = registers[c];
  }
  return i;
}

// The reverse: component c of group i comes from source[rows[c] + i].
template <class Item, std::size_t Count>
inline std::int64_t put_together(const Item* source, const std::int64_t* rows, Item* target,
                                 std::int64_t groups) noexcept {
  constexpr std::size_t side = tile_side<Item>;
  using Vector = typename VectorOf<Item, side>::type;
  using Loose = typename VectorOf<Item, side>::in_memory;
  std::int64_t i = 0;
  for (; i + static_cast<std::int64_t>(side) <= groups; i += static_cast<std::int64_t>(side)) {
    Item* const to = target + i * static_cast<std::int64_t>(Count);
    Vector registers[Count];
    for (std::size_t c = 0; c < Count; ++c)
      registers[c] = *reinterpret_cast<const Loose*>(source + rows[c] + i);
    rearrange<PutTogether<Count, side>>(registers, std::make_index_sequence<Count>{});
    for (std::size_t c = 0; c < Count; ++c) *reinterpret_cast<Loose*>(to + c * side) = registers[c];
  }
  return i;
}

// Whether rows of `length` items follow each other without a gap.
inline bool are_adjacent(const std::int64_t* rows, std::int64_t count, std::int64_t length) noexcept {
  std::int64_t gaps = 0;
  for (std::int64_t r = 0; r < count; ++r) gaps |= rows[r] ^ (rows[0] + r * length);
  return gaps == 0;
}

// The groups that registers can move of n0 in_rows with n1 items each, when either is the number of
// components and a sequence of groups has no gaps; the others are left to the caller.
template <class Item, std::size_t Count = 2>
inline std::int64_t transpose_thin(const Item* source, const std::int64_t* in_rows, Item* target,
                                   const std::int64_t* out_rows, std::int64_t n0, std::int64_t n1) noexcept {
  if constexpr (sizeof(Item) < 16 && Count < tile_side<Item> && Count <= thin_count_max) {
    constexpr auto count = static_cast<std::int64_t>(Count);
    if (n1 == count && n0 > n1) {
      if (!are_adjacent(in_rows, n0, n1)) return 0;
      return take_apart<Item, Count>(source + in_rows[0], target, out_rows, n0);
    }
    if (n0 == count && n1 > n0) {
      if (!are_adjacent(out_rows, n1, n0)) return 0;
      return put_together<Item, Count>(source, in_rows, target + out_rows[0], n1);
    }
    return transpose_thin<Item, Count + 1>(source, in_rows, target, out_rows, n0, n1);
  } else {
    return 0;
  }
}

}  // namespace
}  // namespace tenure::cpu
