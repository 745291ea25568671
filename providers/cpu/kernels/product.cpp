// SPDX-License-Identifier: Apache-2.0
// Products of matrices: those so small that packing them would cost more than multiplying, and all others.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "element.hpp"
#include "kernel_table.hpp"
#include "packed_product.hpp"
#include "row_product.hpp"

namespace tenure::cpu {
namespace {

// What a product takes with its rows, or after exchanging the two its columns, as the direction of vectors:
// steps of the vectors, and elements that move one by one where a direction is not contiguous.
template <class T>
std::int64_t cost_of(std::int64_t m, std::int64_t n, std::int64_t k, bool has_left_rows,
                     bool has_out_rows) noexcept {
  const auto reals = static_cast<std::uint64_t>(m * part_count<T>);
  const auto lanes = static_cast<std::uint64_t>(lane_count<T>);
  const auto vectors = static_cast<std::int64_t>(reals / lanes) + std::popcount(reals % lanes);
  return vectors * n * k + (has_left_rows ? 0 : m * k) + (has_out_rows ? 0 : m * n);
}

MatrixProduct exchanged(const MatrixProduct& product) noexcept {
  const auto turned = [](Plane plane) { return Plane{plane.stride1, plane.stride0}; };
  MatrixProduct other = product;
  std::swap(other.m, other.n);
  other.left = product.right;
  other.left_plane = turned(product.right_plane);
  other.right = product.left;
  other.right_plane = turned(product.left_plane);
  other.out_plane = turned(product.out_plane);
  std::swap(other.is_left_conjugated, other.is_right_conjugated);
  return other;
}

// The product with its rows as the direction of the vectors.
template <class T>
RowProduct<T> row_product_of(const MatrixProduct& product) noexcept {
  return {.m = product.m,
          .n = product.n,
          .k = product.k,
          .alpha = *static_cast<const T*>(product.alpha),
          .left = static_cast<const T*>(product.left),
          .left_term = product.left_plane.stride1,
          .right = static_cast<const T*>(product.right),
          .right_plane = product.right_plane,
          .beta = *static_cast<const T*>(product.beta),
          .out = static_cast<T*>(product.out),
          .out_plane = product.out_plane,
          .left_sign = product.is_left_conjugated ? RealOf<T>(-1) : RealOf<T>(1),
          .right_sign = product.is_right_conjugated ? RealOf<T>(-1) : RealOf<T>(1)};
}

template <class T>
void multiply(const RowProduct<T>& product) noexcept {
  multiply_rows<T, panel_reals<T>>(product, !is_zero(product.beta), 0);
}

// packed[i + j * n0] is index (i, j) of the plane.
template <class T>
void pack(const T* source, Plane plane, std::int64_t n0, std::int64_t n1, T* packed) noexcept {
  for (std::int64_t j = 0; j < n1; ++j) {
    for (std::int64_t i = 0; i < n0; ++i) {
      packed[j * n0 + i] = source[i * plane.stride0 + j * plane.stride1];
    }
  }
}

template <class T>
void small_product_kernel(const MatrixProduct& asked) {
  const auto is_contiguous = [](std::int64_t extent, std::int64_t stride) {
    return extent == 1 || stride == 1;
  };
  const std::int64_t by_rows =
      cost_of<T>(asked.m, asked.n, asked.k, is_contiguous(asked.m, asked.left_plane.stride0),
                 is_contiguous(asked.m, asked.out_plane.stride0));
  const std::int64_t by_columns =
      cost_of<T>(asked.n, asked.m, asked.k, is_contiguous(asked.n, asked.right_plane.stride1),
                 is_contiguous(asked.n, asked.out_plane.stride1));
  const MatrixProduct product = by_columns < by_rows ? exchanged(asked) : asked;
  RowProduct<T> rows = row_product_of<T>(product);
  T packed[small_product_side_elements];
  if (!is_contiguous(product.m, product.left_plane.stride0)) {
    pack(rows.left, product.left_plane, product.m, product.k, packed);
    rows.left = packed;
    rows.left_term = product.m;
  }
  multiply(rows);
}

// Vectors want rows that fill them, and then rows that are contiguous in the result.
template <class T>
bool wants_exchange(const MatrixProduct& product) noexcept {
  const auto is_short = [](std::int64_t side, std::int64_t other) noexcept {
    return side < panel_rows<T> && side < other;
  };
  if (is_short(product.m, product.n)) return true;
  return product.out_plane.stride0 != 1 && product.out_plane.stride1 == 1 && !is_short(product.n, product.m);
}

template <class T>
void large_product_kernel(const MatrixProduct& asked, void* scratch) {
  const MatrixProduct product = wants_exchange<T>(asked) ? exchanged(asked) : asked;
  multiply_blocks(row_product_of<T>(product), product.left_plane, static_cast<T*>(scratch));
}

template <class T>
std::int64_t large_product_scratch_bytes(std::int64_t m, std::int64_t n, std::int64_t k) {
  return std::max(scratch_elements<T>(m, n, k), scratch_elements<T>(n, m, k)) * std::int64_t{sizeof(T)};
}

// The type that a dtype is multiplied in: unsigned for integers. void for a dtype without products.
template <class T>
struct Factor {
  using type = std::conditional_t<std::is_floating_point_v<T> || is_complex_element<T>, T, void>;
};
template <class T>
requires std::is_integral_v<T>
struct Factor<T> {
  using type = std::make_unsigned_t<T>;
};

template <std::size_t Dtype>
constexpr SmallProductKernel small_kernel_of() {
  using T = typename Factor<Element<Dtype>>::type;
  if constexpr (std::is_void_v<T>) {
    return nullptr;
  } else {
    return small_product_kernel<T>;
  }
}

template <std::size_t Dtype>
constexpr LargeProduct large_product_of() {
  using T = typename Factor<Element<Dtype>>::type;
  if constexpr (std::is_void_v<T>) {
    return {};
  } else {
    return {large_product_kernel<T>, large_product_scratch_bytes<T>};
  }
}

template <std::size_t... Dtype>
constexpr ProductTable table_of(std::index_sequence<Dtype...>) {
  return {{small_kernel_of<Dtype>()...}, {large_product_of<Dtype>()...}};
}

}  // namespace

constinit const ProductTable TENURE_CPU_ISA::product_table =
    table_of(std::make_index_sequence<dtype_count>{});

}  // namespace tenure::cpu
