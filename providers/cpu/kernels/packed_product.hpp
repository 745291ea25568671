// SPDX-License-Identifier: Apache-2.0
// packed_product: products of matrices of any size. Blocks of both are copied into the order in which the
// registers want them, so that they are read from a cache and along contiguous memory wherever they lie.
//
// Every element is one sum for each block of terms, in their order, and the blocks depend on the number of
// terms alone. So a product has the same bits however its rows and columns are shared between callers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "element.hpp"
#include "kernel_table.hpp"
#include "register_tile.hpp"
#include "row_product.hpp"

namespace tenure::cpu {
namespace {

// The block of the result that is summed in registers: two registers of rows, and as many columns as hide the
// time that an addition takes.
template <class T>
constexpr std::int64_t panel_reals = 2 * lane_count<T>;
template <class T>
constexpr std::int64_t panel_rows = panel_reals<T> / part_count<T>;
template <class T>
constexpr std::int64_t strip_columns = (register_bytes == 64 ? 8 : 4) / part_count<T>;

// The copied block of one side, of as many bytes, whose lines are rows or columns: the left one stays in the
// second-level cache while the right one passes.
constexpr std::int64_t block_terms_max = 256;
constexpr std::int64_t left_block_bytes = std::int64_t{512} << 10;
constexpr std::int64_t right_block_bytes = std::int64_t{2} << 20;
template <class T>
constexpr std::int64_t block_rows = left_block_bytes / block_terms_max / std::int64_t{sizeof(T)};
template <class T>
constexpr std::int64_t block_columns = right_block_bytes / block_terms_max / std::int64_t{sizeof(T)};

// Terms of a block, all blocks being of nearly the same size.
TENURE_CPU_INLINE std::int64_t block_terms(std::int64_t terms) noexcept {
  const std::int64_t blocks = (terms + block_terms_max - 1) / block_terms_max;
  return (terms + blocks - 1) / blocks;
}

// Where the elements of the result go: alpha times their sums, and beside what out holds if `adds`.
template <class T>
struct Target {
  T alpha;
  Plane out_plane;
  bool adds;
  RealOf<T> left_sign;  // of the imaginary parts
  RealOf<T> right_sign;
};

// Blocks at the edges are smaller: half of the rows or as few as this, half of the columns or one.
template <class T>
constexpr std::int64_t narrow_rows = panel_rows<T> < 8 ? 1 : panel_rows<T> / 8;

// Lines that the smallest block with room for some has.
template <std::int64_t Width, std::int64_t Narrow>
TENURE_CPU_INLINE std::int64_t padded(std::int64_t lines) noexcept {
  return lines > Width / 2 ? Width : lines > Narrow ? Width / 2 : Narrow;
}

// packed[term * padded + line] for the lines of one panel; those that are only room are 0.
template <class T, std::int64_t Width, std::int64_t Narrow>
void pack_panel(const T* source, std::int64_t line, std::int64_t term, std::int64_t lines, std::int64_t terms,
                T* packed) noexcept {
  const std::int64_t width = padded<Width, Narrow>(lines);
  std::int64_t done = 0;
  if (lines == Width && line == 1) {
    for (; done < terms; ++done)
      __builtin_memcpy(packed + done * Width, source + done * term, Width * sizeof(T));
    return;
  }
  using Item = std::conditional_t<is_complex_element<T> && sizeof(T) == 8, std::uint64_t, T>;
  constexpr auto side = static_cast<std::int64_t>(tile_side<Item>);
  if constexpr (Width % side == 0) {
    if (lines == Width && term == 1) {
      std::int64_t in_lines[tile_side<Item>], out_terms[tile_side<Item>];
      for (std::int64_t i = 0; i < side; ++i) in_lines[i] = i * line;
      for (std::int64_t j = 0; j < side; ++j) out_terms[j] = j * Width;
      for (; terms - done >= side; done += side) {
        for (std::int64_t first = 0; first < Width; first += side) {
          transpose_tile(reinterpret_cast<const Item*>(source + first * line + done), in_lines,
                         reinterpret_cast<Item*>(packed + done * Width + first), out_terms);
        }
      }
    }
  }
  for (; done < terms; ++done) {
    for (std::int64_t i = 0; i < width; ++i)
      packed[done * width + i] = i < lines ? source[i * line + done * term] : T{};
  }
}

// Panels one after the other, each with room for all terms.
template <class T, std::int64_t Width, std::int64_t Narrow>
void pack_panels(const T* source, std::int64_t line, std::int64_t term, std::int64_t lines,
                 std::int64_t terms, T* packed) noexcept {
  for (std::int64_t first = 0; first < lines; first += Width) {
    constexpr std::int64_t width = Width;
    pack_panel<T, Width, Narrow>(source + first * line, line, term, std::min(width, lines - first), terms,
                                 packed + first * terms);
  }
}

template <class Vector, std::size_t... Lane>
TENURE_CPU_INLINE Vector exchange_parts(Vector a, std::index_sequence<Lane...>) noexcept {
  return __builtin_shufflevector(a, a, (Lane ^ 1)...);
}

// old + alpha * sum. Each addition adds one product, so that wherever additions and multiplications are
// fused, they are fused in every block alike. Complex numbers are pairs of lanes; `cross` has the sums by the
// imaginary parts of the right factors.
template <class T, class Block>
TENURE_CPU_INLINE typename Block::Vector result_of(const Target<T>& target, const typename Block::Vector& sum,
                                                   [[maybe_unused]] const typename Block::Vector& cross,
                                                   const typename Block::Vector& old) noexcept {
  if constexpr (!is_complex_element<T>) {
    return old + sum * target.alpha;
  } else {
    using Lanes = std::make_index_sequence<static_cast<std::size_t>(Block::width)>;
    typename Block::Vector signs, cross_signs, imaginary;
    for (std::int64_t i = 0; i < Block::width; i += 2) {
      signs[i] = 1;
      signs[i + 1] = target.left_sign;
      cross_signs[i] = -target.left_sign * target.right_sign;
      cross_signs[i + 1] = target.right_sign;
      imaginary[i] = -target.alpha.im;
      imaginary[i + 1] = target.alpha.im;
    }
    const typename Block::Vector product = sum * signs + exchange_parts(cross, Lanes{}) * cross_signs;
    const typename Block::Vector part = old + exchange_parts(product, Lanes{}) * imaginary;
    return part + product * target.alpha.re;
  }
}

// Rows that are not contiguous, or of which only some are rows of the result, pass through a copy.
template <class T>
[[gnu::noinline]] void take_rows(const T* out, std::int64_t stride, std::int64_t rows, T* copy) noexcept {
  for (std::int64_t i = 0; i < rows; ++i) copy[i] = out[i * stride];
}
template <class T>
[[gnu::noinline]] void put_rows(const T* copy, std::int64_t rows, T* out, std::int64_t stride) noexcept {
  for (std::int64_t i = 0; i < rows; ++i) out[i * stride] = copy[i];
}

template <class T, std::int64_t Reals, std::int64_t Columns>
TENURE_CPU_INLINE void put_block(const Target<T>& target, T* out, std::int64_t rows, std::int64_t columns,
                                 const Sums<T, Reals, Columns>& sums) noexcept {
  using Block = Sums<T, Reals, Columns>;
  using Vector = typename Block::Vector;
  constexpr std::int64_t block_rows = Reals / part_count<T>;
  const bool is_direct = rows == block_rows && target.out_plane.stride0 == 1;
  T copy[static_cast<std::size_t>(block_rows)]{};
  for (std::int64_t c = 0; c < Columns; ++c, out += target.out_plane.stride1) {
    if (c == columns) return;
    if (!is_direct && target.adds) take_rows(out, target.out_plane.stride0, rows, copy);
    T* const memory = is_direct ? out : copy;
    for (std::int64_t v = 0; v < Block::vector_count; ++v) {
      auto& here = reinterpret_cast<typename Block::Loose*>(memory)[v];
      const Vector old = target.adds ? Vector(here) : Vector{};
      here = result_of<T, Block>(target, sums.values[0][c][v], sums.values[part_count<T> - 1][c][v], old);
    }
    if (!is_direct) put_rows(copy, rows, out, target.out_plane.stride0);
  }
}

// One panel of the left matrix times one strip of the right one.
template <class T, std::int64_t Reals, std::int64_t Columns>
void multiply_packed(const Target<T>& target, const T* left, const T* right, std::int64_t terms, T* out,
                     std::int64_t rows, std::int64_t columns) noexcept {
  using Block = Sums<T, Reals, Columns>;
  using Real = RealOf<T>;
  Block sums;
  for (auto& part : sums.values) {
    for (auto& of_column : part) {
      for (auto& value : of_column) value = typename Block::Vector{};
    }
  }
  const Real* rows_here = reinterpret_cast<const Real*>(left);
  const Real* factors = reinterpret_cast<const Real*>(right);
  for (std::int64_t term = 0; term < terms; ++term) {
    typename Block::Vector here[Block::vector_count];
    for (std::int64_t v = 0; v < Block::vector_count; ++v)
      here[v] = *reinterpret_cast<const typename Block::Loose*>(rows_here + v * Block::width);
    for (std::int64_t c = 0; c < Columns; ++c) {
      for (std::int64_t part = 0; part < part_count<T>; ++part) {
        for (std::int64_t v = 0; v < Block::vector_count; ++v)
          sums.values[part][c][v] += here[v] * factors[c * part_count<T> + part];
      }
    }
    rows_here += Reals;
    factors += Columns * part_count<T>;
  }
  put_block<T, Reals, Columns>(target, out, rows, columns, sums);
}

// Few of all possible blocks, each of which is compiled code: what is left of panels and strips has room to
// spare in the next larger one.
template <class T, std::int64_t Reals>
void choose_columns(const Target<T>& target, const T* left, const T* right, std::int64_t terms, T* out,
                    std::int64_t rows, std::int64_t columns) noexcept {
  constexpr std::int64_t strip = strip_columns<T>;
  const auto multiply = columns > strip / 2 ? multiply_packed<T, Reals, strip>
                        : columns > 1       ? multiply_packed<T, Reals, strip / 2>
                                            : multiply_packed<T, Reals, 1>;
  multiply(target, left, right, terms, out, rows, columns);
}

template <class T>
void choose_rows(const Target<T>& target, const T* left, const T* right, std::int64_t terms, T* out,
                 std::int64_t rows, std::int64_t columns) noexcept {
  constexpr std::int64_t panel = panel_reals<T>;
  const auto multiply = rows > panel_rows<T> / 2 ? choose_columns<T, panel>
                        : rows > narrow_rows<T>  ? choose_columns<T, panel / 2>
                                                 : choose_columns<T, narrow_rows<T> * part_count<T>>;
  multiply(target, left, right, terms, out, rows, columns);
}

// Elements of scratch that multiply_blocks wants.
template <class T>
TENURE_CPU_INLINE std::int64_t scratch_elements(std::int64_t m, std::int64_t n, std::int64_t k) noexcept {
  const std::int64_t lines = std::min(m, block_rows<T>) + panel_rows<T> + std::min(n, block_columns<T>);
  return (lines + strip_columns<T>)*block_terms(k);
}

// Any product whose beta is 0 or 1.
template <class T>
void multiply_blocks(const RowProduct<T>& product, Plane left_plane, T* scratch) noexcept {
  // Copies, since references to the constants themselves would be symbols that all levels share.
  constexpr std::int64_t panel = panel_rows<T>, narrow = narrow_rows<T>, strip = strip_columns<T>;
  constexpr std::int64_t row_count = block_rows<T>, column_count = block_columns<T>;
  const std::int64_t term_count = block_terms(product.k);
  T* const packed_left = scratch;
  T* const packed_right = scratch + (std::min(product.m, row_count) + panel) * term_count;
  const Plane right_plane = product.right_plane;
  const Plane out_plane = product.out_plane;
  Target<T> target{product.alpha, out_plane, !is_zero(product.beta), product.left_sign, product.right_sign};
  for (std::int64_t term = 0; term < product.k; term += term_count, target.adds = true) {
    const std::int64_t terms = std::min(term_count, product.k - term);
    for (std::int64_t column = 0; column < product.n; column += column_count) {
      const std::int64_t columns = std::min(column_count, product.n - column);
      pack_panels<T, strip, 1>(product.right + term * right_plane.stride0 + column * right_plane.stride1,
                               right_plane.stride1, right_plane.stride0, columns, terms, packed_right);
      for (std::int64_t row = 0; row < product.m; row += row_count) {
        const std::int64_t rows = std::min(row_count, product.m - row);
        pack_panels<T, panel, narrow>(product.left + row * left_plane.stride0 + term * left_plane.stride1,
                                      left_plane.stride0, left_plane.stride1, rows, terms, packed_left);
        T* const out = product.out + row * out_plane.stride0 + column * out_plane.stride1;
        for (std::int64_t j = 0; j < columns; j += strip) {
          for (std::int64_t i = 0; i < rows; i += panel) {
            choose_rows<T>(target, packed_left + i * terms, packed_right + j * terms, terms,
                           out + i * out_plane.stride0 + j * out_plane.stride1, std::min(panel, rows - i),
                           std::min(strip, columns - j));
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace tenure::cpu
