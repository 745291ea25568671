// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "element.hpp"
#include "item.hpp"
#include "kernel_table.hpp"
#include "register_tile.hpp"

namespace tenure::cpu {
namespace {

template <class Item>
void copy_line(const Item* in, std::int64_t in_stride, Item* out, std::int64_t out_stride,
               std::int64_t count) {
  if (in_stride == 1 && out_stride == 1) {
    TENURE_CPU_INDEPENDENT
    for (std::int64_t i = 0; i < count; ++i) out[i] = in[i];
  } else if (in_stride == 0 && out_stride == 1) {
    const Item item = *in;
    TENURE_CPU_INDEPENDENT
    for (std::int64_t i = 0; i < count; ++i) out[i] = item;
  } else if (out_stride == 1) {
    TENURE_CPU_INDEPENDENT
    for (std::int64_t i = 0; i < count; ++i) out[i] = in[i * in_stride];
  } else {
    TENURE_CPU_INDEPENDENT
    for (std::int64_t i = 0; i < count; ++i) out[i * out_stride] = in[i * in_stride];
  }
}

template <class Item>
void plane_kernel(const void* in, Plane in_plane, void* out, Plane out_plane, std::int64_t n0,
                  std::int64_t n1) {
  const Item* source = static_cast<const Item*>(in);
  Item* target = static_cast<Item*>(out);
  for (std::int64_t j = 0; j < n1; ++j) {
    copy_line(source + j * in_plane.stride1, in_plane.stride0, target + j * out_plane.stride1,
              out_plane.stride0, n0);
  }
}

template <class Item>
void transpose_kernel(const void* in, const std::int64_t* in_rows, void* out, const std::int64_t* out_rows,
                      std::int64_t n0, std::int64_t n1) {
  constexpr std::int64_t side = tile_side<Item>;
  const Item* const source = static_cast<const Item*>(in);
  Item* const target = static_cast<Item*>(out);
  const std::int64_t whole0 = n0 - n0 % side;
  const std::int64_t whole1 = n1 - n1 % side;
  for (std::int64_t j = 0; j < whole1; j += side) {
    for (std::int64_t i = 0; i < whole0; i += side) {
      transpose_tile<Item>(source + j, in_rows + i, target + i, out_rows + j);
    }
  }
  for (std::int64_t j = 0; j < n1; ++j) {
    Item* const row = target + out_rows[j];
    for (std::int64_t i = j < whole1 ? whole0 : 0; i < n0; ++i) row[i] = source[in_rows[i] + j];
  }
}

template <class Item>
int zero_scan_kernel(const void* in, std::int64_t count) {
  const Item* const items = static_cast<const Item*>(in);
  std::uint8_t found = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    found |= items[i] == 0;
  }
  return found;
}

template <class Item>
int negative_scan_kernel(const void* in, std::int64_t count) {
  const Item* const items = static_cast<const Item*>(in);
  Item all = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    all = static_cast<Item>(all | items[i]);
  }
  return all >> (8 * sizeof(Item) - 1) != 0 ? 1 : 0;
}

}  // namespace

constinit const CopyTable TENURE_CPU_ISA::copy_table{
    {plane_kernel<ItemOfSize<1>>, plane_kernel<ItemOfSize<2>>, plane_kernel<ItemOfSize<4>>,
     plane_kernel<ItemOfSize<8>>, plane_kernel<ItemOfSize<16>>},
    {transpose_kernel<ItemOfSize<1>>, transpose_kernel<ItemOfSize<2>>, transpose_kernel<ItemOfSize<4>>,
     transpose_kernel<ItemOfSize<8>>, transpose_kernel<ItemOfSize<16>>},
    {zero_scan_kernel<ItemOfSize<1>>, zero_scan_kernel<ItemOfSize<2>>, zero_scan_kernel<ItemOfSize<4>>,
     zero_scan_kernel<ItemOfSize<8>>},
    {negative_scan_kernel<ItemOfSize<1>>, negative_scan_kernel<ItemOfSize<2>>,
     negative_scan_kernel<ItemOfSize<4>>, negative_scan_kernel<ItemOfSize<8>>},
};

}  // namespace tenure::cpu
