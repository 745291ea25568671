// SPDX-License-Identifier: Apache-2.0
// row_product: products of matrices whose left one has contiguous rows. A block of the result is summed in
// registers; every element is one sum in the order of the terms, wherever the matrices lie.
#pragma once

#include <cstdint>
#include <type_traits>

#include "element.hpp"
#include "kernel_table.hpp"
#include "register_tile.hpp"

namespace tenure::cpu {
namespace {

template <class T>
struct PartsOf {
  using Real = T;
  static constexpr std::size_t count = 1;
};
template <class Part>
struct PartsOf<Complex<Part>> {
  using Real = Part;
  static constexpr std::size_t count = 2;
};
template <class T>
using RealOf = typename PartsOf<T>::Real;
template <class T>
constexpr std::int64_t part_count = PartsOf<T>::count;

// Real numbers in a vector register.
template <class T>
constexpr std::int64_t lane_count = register_bytes / sizeof(RealOf<T>);

// The product in elements of T, with rows as the direction of the vectors: rows of `left` are contiguous.
// Integers are unsigned, which wraps as two's complement does.
template <class T>
struct RowProduct {
  std::int64_t m, n, k;
  T alpha;
  const T* left;
  std::int64_t left_term;
  const T* right;
  Plane right_plane;
  T beta;
  T* out;
  Plane out_plane;
  RealOf<T> left_sign;  // of the imaginary parts
  RealOf<T> right_sign;
};

template <class T>
bool is_zero(T value) noexcept {
  if constexpr (is_complex_element<T>) {
    return value.re == 0 && value.im == 0;
  } else {
    return value == 0;
  }
}

template <class T>
TENURE_CPU_INLINE T product_of(T a, T b) noexcept {
  if constexpr (is_complex_element<T>) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  } else if constexpr (std::is_integral_v<T>) {
    // Short factors would be promoted to int, whose product does not wrap.
    return static_cast<T>(1u * a * b);
  } else {
    return a * b;
  }
}

// Puts sums into consecutive rows of a column, one by one. Of complex numbers `sums` are those by the real
// parts of the right factors and `cross_sums` those by the imaginary parts. Not inline, for there are many
// blocks.
template <class T>
[[gnu::noinline]] void put_each(const RowProduct<T>& product, bool adds, std::int64_t count,
                                const RealOf<T>* sums, [[maybe_unused]] const RealOf<T>* cross_sums,
                                T* out) noexcept {
  for (std::int64_t i = 0; i < count; ++i, out += product.out_plane.stride0) {
    if constexpr (is_complex_element<T>) {
      const RealOf<T> both_signs = product.left_sign * product.right_sign;
      const T sum{sums[2 * i] - both_signs * cross_sums[2 * i + 1],
                  product.left_sign * sums[2 * i + 1] + product.right_sign * cross_sums[2 * i]};
      T value = product_of(product.alpha, sum);
      if (adds) {
        const T old = product_of(product.beta, *out);
        value = {value.re + old.re, value.im + old.im};
      }
      *out = value;
    } else {
      // Without an addition of 0, which would change the sign of a zero.
      const T value = product_of(product.alpha, sums[i]);
      *out = adds ? static_cast<T>(value + product_of(product.beta, *out)) : value;
    }
  }
}

// Sums of one block: `Reals` consecutive real numbers of `Columns` columns. Complex numbers have a second
// one, by the imaginary parts of the right factors.
template <class T, std::int64_t Reals, std::int64_t Columns>
struct Sums {
  using Real = RealOf<T>;
  static constexpr std::int64_t vector_count = Reals > lane_count<T> ? Reals / lane_count<T> : 1;
  static constexpr std::int64_t width = Reals / vector_count;
  using Vector = typename VectorOf<Real, static_cast<std::size_t>(width)>::type;
  using Loose = typename VectorOf<Real, static_cast<std::size_t>(width)>::in_memory;

  Vector values[PartsOf<T>::count][static_cast<std::size_t>(Columns)][static_cast<std::size_t>(vector_count)];
};

template <class T, std::int64_t Reals, std::int64_t Columns>
TENURE_CPU_INLINE void add_terms(const RowProduct<T>& product, std::int64_t row, std::int64_t column,
                                 Sums<T, Reals, Columns>& sums) noexcept {
  using Block = Sums<T, Reals, Columns>;
  using Real = RealOf<T>;
  const T* left = product.left + row;
  const T* right = product.right + column * product.right_plane.stride1;
  for (auto& part : sums.values) {
    for (auto& of_column : part) {
      for (auto& value : of_column) value = typename Block::Vector{};
    }
  }
  for (std::int64_t term = 0; term < product.k; ++term) {
    typename Block::Vector terms[Block::vector_count];
    for (std::int64_t v = 0; v < Block::vector_count; ++v) {
      terms[v] = *reinterpret_cast<const typename Block::Loose*>(reinterpret_cast<const Real*>(left) +
                                                                 v * Block::width);
    }
    for (std::int64_t c = 0; c < Columns; ++c) {
      const Real* const factor = reinterpret_cast<const Real*>(right + c * product.right_plane.stride1);
      for (std::size_t part = 0; part < PartsOf<T>::count; ++part) {
        for (std::int64_t v = 0; v < Block::vector_count; ++v) {
          sums.values[part][c][v] += terms[v] * factor[part];
        }
      }
    }
    left += product.left_term;
    right += product.right_plane.stride0;
  }
}

template <class T, std::int64_t Reals, std::int64_t Columns>
TENURE_CPU_INLINE void put_sums(const RowProduct<T>& product, bool adds, std::int64_t row,
                                std::int64_t column, const Sums<T, Reals, Columns>& sums) noexcept {
  using Block = Sums<T, Reals, Columns>;
  using Real = RealOf<T>;
  T* const out = product.out + row * product.out_plane.stride0 + column * product.out_plane.stride1;
  for (std::int64_t c = 0; c < Columns; ++c) {
    T* const here = out + c * product.out_plane.stride1;
    if constexpr (!is_complex_element<T>) {
      if (!adds && product.out_plane.stride0 == 1) {
        for (std::int64_t v = 0; v < Block::vector_count; ++v) {
          *reinterpret_cast<typename Block::Loose*>(here + v * Block::width) =
              sums.values[0][c][v] * product.alpha;
        }
        continue;
      }
    }
    Real parts[PartsOf<T>::count][static_cast<std::size_t>(Reals)];
    for (std::size_t part = 0; part < PartsOf<T>::count; ++part) {
      for (std::int64_t v = 0; v < Block::vector_count; ++v) {
        *reinterpret_cast<typename Block::Loose*>(&parts[part][v * Block::width]) = sums.values[part][c][v];
      }
    }
    put_each(product, adds, Reals / part_count<T>, parts[0], parts[PartsOf<T>::count - 1], here);
  }
}

template <class T, std::int64_t Reals, std::int64_t Columns>
TENURE_CPU_INLINE void multiply_block(const RowProduct<T>& product, bool adds, std::int64_t row,
                                      std::int64_t column) noexcept {
  Sums<T, Reals, Columns> sums;
  add_terms<T, Reals, Columns>(product, row, column, sums);
  put_sums<T, Reals, Columns>(product, adds, row, column, sums);
}

// Columns `column` and after of `Reals` real numbers of each; blocks of `Columns` columns and then the rest.
template <class T, std::int64_t Reals, std::int64_t Columns>
TENURE_CPU_INLINE void multiply_columns(const RowProduct<T>& product, bool adds, std::int64_t row,
                                        std::int64_t column) noexcept {
  for (; product.n - column >= Columns; column += Columns)
    multiply_block<T, Reals, Columns>(product, adds, row, column);
  if constexpr (Columns > 1) {
    if (column < product.n) multiply_columns<T, Reals, Columns / 2>(product, adds, row, column);
  }
}

// Rows `row` and after, `Reals` real numbers at a time and then the rest.
template <class T, std::int64_t Reals>
void multiply_rows(const RowProduct<T>& product, bool adds, std::int64_t row) noexcept {
  // As many sums as hide the time that an addition takes, and no more than there are registers for.
  constexpr std::int64_t columns = is_complex_element<T> ? 2 : 4;
  constexpr std::int64_t rows = Reals / part_count<T>;
  for (; product.m - row >= rows; row += rows) multiply_columns<T, Reals, columns>(product, adds, row, 0);
  if constexpr (rows > 1) {
    if (row < product.m) multiply_rows<T, Reals / 2>(product, adds, row);
  }
}

}  // namespace
}  // namespace tenure::cpu
