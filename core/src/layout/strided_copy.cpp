// SPDX-License-Identifier: Apache-2.0
#include "layout/strided_copy.hpp"

#include <algorithm>
#include <cstring>

#include "layout/fused_axes.hpp"

namespace tenure::inline TENURE_BUILD {

namespace {

constexpr std::size_t target_operand = 0;
constexpr std::size_t source_operand = 1;

using CopyAxes = FusedAxes<2>;

// One axis of both ends, in bytes.
struct ByteAxis {
  std::int64_t extent;
  std::int64_t target_bytes;
  std::int64_t source_bytes;
};

ByteAxis byte_axis(const CopyAxes& axes, std::int64_t axis, std::int64_t item_bytes) noexcept {
  return {axes.extent(axis), axes.stride(target_operand, axis) * item_bytes,
          axes.stride(source_operand, axis) * item_bytes};
}

// Calls `inner(target, source)` for every index of the axes from `inner_rank` on.
template <class Inner>
void for_each_outer(const CopyAxes& axes, std::int64_t outer_end, std::int64_t inner_rank,
                    std::int64_t item_bytes, std::byte* target, const std::byte* source,
                    const Inner& inner) noexcept {
  if (outer_end == inner_rank) return inner(target, source);
  const ByteAxis axis = byte_axis(axes, outer_end - 1, item_bytes);
  for (std::int64_t i = 0; i < axis.extent; ++i) {
    for_each_outer(axes, outer_end - 1, inner_rank, item_bytes, target + i * axis.target_bytes,
                   source + i * axis.source_bytes, inner);
  }
}

template <std::size_t item_bytes>
inline void copy_row(std::int64_t count, std::byte* target, std::int64_t target_bytes,
                     const std::byte* source, std::int64_t source_bytes) noexcept {
  for (std::int64_t i = 0; i < count; ++i) {
    std::memcpy(target + i * target_bytes, source + i * source_bytes, item_bytes);
  }
}

// Two axes, the first fast in the target and the second fast in the source, by tiles of few rows: their
// source lines stay in the cache until they are used up, even where their distance is a power of two.
template <std::size_t item_bytes>
void copy_transposed(const ByteAxis& row, const ByteAxis& column, std::byte* target,
                     const std::byte* source) noexcept {
  constexpr std::int64_t tile_rows = item_bytes <= 2 ? 16 : item_bytes <= 8 ? 8 : 4;
  constexpr std::int64_t tile_columns = item_bytes <= 4 ? 64 : 32;
  for (std::int64_t k = 0; k < column.extent; k += tile_columns) {
    const std::int64_t k_end = std::min(k + tile_columns, column.extent);
    for (std::int64_t i = 0; i < row.extent; i += tile_rows) {
      const std::int64_t rows = std::min(tile_rows, row.extent - i);
      for (std::int64_t c = k; c < k_end; ++c) {
        std::byte* const to = target + i * row.target_bytes + c * column.target_bytes;
        const std::byte* const from = source + i * row.source_bytes + c * column.source_bytes;
        if (rows == tile_rows) {
          // The same loop with its count known, which the compiler unrolls.
          copy_row<item_bytes>(tile_rows, to, row.target_bytes, from, row.source_bytes);
        } else {
          copy_row<item_bytes>(rows, to, row.target_bytes, from, row.source_bytes);
        }
      }
    }
  }
}

// The axis along which the source is fastest.
std::int64_t fastest_source_axis(const CopyAxes& axes) noexcept {
  std::int64_t fastest = 0;
  const auto distance = [&](std::int64_t axis) { return std::abs(axes.stride(source_operand, axis)); };
  for (std::int64_t axis = 1; axis < axes.rank(); ++axis) {
    if (distance(axis) < distance(fastest)) fastest = axis;
  }
  return fastest;
}

template <std::size_t item_bytes>
void copy_fused(CopyAxes& axes, std::byte* target, const std::byte* source) noexcept {
  constexpr auto bytes = static_cast<std::int64_t>(item_bytes);
  if (axes.rank() == 0) {
    std::memcpy(target, source, item_bytes);
    return;
  }
  const ByteAxis row = byte_axis(axes, 0, bytes);
  if (row.target_bytes == bytes && row.source_bytes == bytes) {
    const auto row_bytes = static_cast<std::size_t>(row.extent * bytes);
    for_each_outer(axes, axes.rank(), 1, bytes, target, source,
                   [&](std::byte* to, const std::byte* from) { std::memcpy(to, from, row_bytes); });
    return;
  }
  if (const std::int64_t fastest = fastest_source_axis(axes); fastest != 0) {
    axes.move_axis(fastest, 1);
    const ByteAxis column = byte_axis(axes, 1, bytes);
    for_each_outer(axes, axes.rank(), 2, bytes, target, source, [&](std::byte* to, const std::byte* from) {
      copy_transposed<item_bytes>(row, column, to, from);
    });
    return;
  }
  for_each_outer(axes, axes.rank(), 1, bytes, target, source, [&](std::byte* to, const std::byte* from) {
    copy_row<item_bytes>(row.extent, to, row.target_bytes, from, row.source_bytes);
  });
}

}  // namespace

void strided_copy(void* target, const Layout& target_layout, const void* source, const Layout& source_layout,
                  std::size_t element_bytes) noexcept {
  if (target_layout.is_empty()) return;
  CopyAxes axes({&target_layout, &source_layout});
  const auto item_bytes = static_cast<std::int64_t>(element_bytes);
  auto* const to = static_cast<std::byte*>(target) + axes.offset(target_operand) * item_bytes;
  const auto* const from = static_cast<const std::byte*>(source) + axes.offset(source_operand) * item_bytes;
  switch (element_bytes) {
    case 1:
      return copy_fused<1>(axes, to, from);
    case 2:
      return copy_fused<2>(axes, to, from);
    case 4:
      return copy_fused<4>(axes, to, from);
    case 8:
      return copy_fused<8>(axes, to, from);
    default:
      return copy_fused<16>(axes, to, from);
  }
}

}  // namespace tenure::inline TENURE_BUILD
