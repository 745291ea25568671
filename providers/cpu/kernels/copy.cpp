// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "element.hpp"
#include "item.hpp"
#include "kernel_table.hpp"
#include "register_tile.hpp"
#include "streaming_store.hpp"
#include "thin_transpose.hpp"

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

// The last tiles of either side begin so that they end with it, and then write some items twice.
template <class Item>
void transpose_kernel(const void* in, const std::int64_t* in_rows, void* out, const std::int64_t* out_rows,
                      std::int64_t n0, std::int64_t n1) {
  constexpr std::int64_t side = tile_side<Item>;
  const Item* const source = static_cast<const Item*>(in);
  Item* const target = static_cast<Item*>(out);
  if (n0 < side || n1 < side) {
    const std::int64_t done = transpose_thin(source, in_rows, target, out_rows, n0, n1);
    for (std::int64_t j = n0 < n1 ? done : 0; j < n1; ++j) {
      Item* const row = target + out_rows[j];
      TENURE_CPU_INDEPENDENT
      for (std::int64_t i = n0 < n1 ? 0 : done; i < n0; ++i) row[i] = source[in_rows[i] + j];
    }
    return;
  }
  for (std::int64_t begin0 = 0; begin0 < n0; begin0 += side) {
    const std::int64_t i = begin0 < n0 - side ? begin0 : n0 - side;
    for (std::int64_t begin1 = 0; begin1 < n1; begin1 += side) {
      const std::int64_t j = begin1 < n1 - side ? begin1 : n1 - side;
      transpose_tile<Item>(source + j, in_rows + i, target + i, out_rows + j);
    }
  }
}

// The first and the last of `bytes` bytes, at least one and at most two parts, which may overlap.
template <std::size_t PartBytes>
TENURE_CPU_INLINE void copy_ends(const std::byte* in, std::byte* out, std::size_t bytes) noexcept {
  __builtin_memcpy(out, in, PartBytes);
  __builtin_memcpy(out + bytes - PartBytes, in + bytes - PartBytes, PartBytes);
}

// Rows are short, so what a register does not fill is copied together with some bytes before it. All rows of
// a call are equally long, so that the branches are foreseen.
TENURE_CPU_INLINE void copy_row(const std::byte* in, std::byte* out, std::size_t bytes) noexcept {
  if (bytes >= register_bytes) {
    for (std::size_t at = 0; at + register_bytes < bytes; at += register_bytes)
      __builtin_memcpy(out + at, in + at, register_bytes);
    __builtin_memcpy(out + bytes - register_bytes, in + bytes - register_bytes, register_bytes);
  } else if (bytes >= 32) {
    copy_ends<32>(in, out, bytes);
  } else if (bytes >= 16) {
    copy_ends<16>(in, out, bytes);
  } else if (bytes >= 8) {
    copy_ends<8>(in, out, bytes);
  } else if (bytes >= 4) {
    copy_ends<4>(in, out, bytes);
  } else {
    for (std::size_t at = 0; at < bytes; ++at) out[at] = in[at];
  }
}

void transpose_rows_kernel(const void* in, const std::int64_t* in_rows, void* out,
                           const std::int64_t* out_rows, std::int64_t n0, std::int64_t n1,
                           std::int64_t item_bytes, std::int64_t row_bytes) {
  const std::byte* const source = static_cast<const std::byte*>(in);
  std::byte* const target = static_cast<std::byte*>(out);
  for (std::int64_t i = 0; i < n0; ++i) {
    for (std::int64_t j = 0; j < n1; ++j) {
      copy_row(source + in_rows[i] * item_bytes + j * row_bytes,
               target + out_rows[j] * item_bytes + i * row_bytes, static_cast<std::size_t>(row_bytes));
    }
  }
}

void stream_kernel(const void* in, std::int64_t in_step_bytes, void* out, const std::int64_t* out_rows,
                   std::int64_t item_bytes, std::int64_t rows, std::int64_t row_bytes) {
  const std::byte* const source = static_cast<const std::byte*>(in);
  std::byte* const target = static_cast<std::byte*>(out);
  for (std::int64_t r = 0; r < rows;) {
    // Rows that follow each other on both sides are one.
    const std::int64_t first = r;
    const std::int64_t start = out_rows[first] * item_bytes;
    do {
      ++r;
    } while (r < rows && in_step_bytes == row_bytes &&
             out_rows[r] * item_bytes == start + (r - first) * row_bytes);
    stream_bytes(source + first * in_step_bytes, target + start,
                 static_cast<std::size_t>((r - first) * row_bytes));
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
    transpose_rows_kernel,
    stream_kernel,
    {zero_scan_kernel<ItemOfSize<1>>, zero_scan_kernel<ItemOfSize<2>>, zero_scan_kernel<ItemOfSize<4>>,
     zero_scan_kernel<ItemOfSize<8>>},
    {negative_scan_kernel<ItemOfSize<1>>, negative_scan_kernel<ItemOfSize<2>>,
     negative_scan_kernel<ItemOfSize<4>>, negative_scan_kernel<ItemOfSize<8>>},
};

}  // namespace tenure::cpu
