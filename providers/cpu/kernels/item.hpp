// SPDX-License-Identifier: Apache-2.0
// item: an element whose value does not matter, only its size.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tenure::cpu {
namespace {

// Sixteen bytes with the alignment of complex128.
struct Item16 {
  std::uint64_t low;
  std::uint64_t high;
};

template <std::size_t Bytes>
struct ItemType;
template <>
struct ItemType<1> {
  using type = std::uint8_t;
};
template <>
struct ItemType<2> {
  using type = std::uint16_t;
};
template <>
struct ItemType<4> {
  using type = std::uint32_t;
};
template <>
struct ItemType<8> {
  using type = std::uint64_t;
};
template <>
struct ItemType<16> {
  using type = Item16;
};

template <std::size_t Bytes>
using ItemOfSize = typename ItemType<Bytes>::type;

}  // namespace
}  // namespace tenure::cpu
