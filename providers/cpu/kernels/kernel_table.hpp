// SPDX-License-Identifier: Apache-2.0
// kernel_table: the tables through which the kernels are reached, one of each for every ISA level.
//
// A table is the only external symbol of its object file. Dtypes are indices into abi::dtype_table, item
// sizes are 1, 2, 4, 8, 16 bytes by their logarithm. A null entry means that the pair is not computed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "tenure/abi/dtype.hpp"

namespace tenure::cpu {

inline constexpr std::size_t dtype_count = abi::dtype_table.size();
inline constexpr std::size_t item_size_count = 5;

// out[i] = f(arguments[0][i], ...) for i < count. Where bit a of scalar_mask is set, argument a has one
// element, which stands for all; some argument has its bit clear. `out` may equal an argument.
using NodeKernel = void (*)(const void* const* arguments, unsigned scalar_mask, void* out,
                            std::int64_t count);
using NodeRow = std::array<NodeKernel, dtype_count>;

struct ArithmeticTable {
  NodeRow neg, conj, abs, sqrt, add, subtract, multiply, divide, maximum, minimum;
};

struct ComparisonTable {
  NodeRow equal, not_equal, less, less_equal, greater, greater_equal, where;
  NodeRow logical_and, logical_or, logical_xor, logical_not;
};

struct ExponentialTable {
  NodeRow exp, expm1, tanh, sigmoid;
};

struct LogarithmTable {
  NodeRow log, log1p;
};

struct TrigonometricTable {
  NodeRow sin, cos, tan, atan2;
};

struct PowerTable {
  NodeRow pow, rsqrt, reciprocal;
};

struct RoundingTable {
  NodeRow sign, floor, ceil, round, remainder;
};

struct CastTable {
  std::array<NodeRow, dtype_count> from;  // from[source][target]
};

// A strided plane: index (i, j) of n0 x n1 lies at i * stride0 + j * stride1 items.
struct Plane {
  std::int64_t stride0;
  std::int64_t stride1;
};

using PlaneKernel = void (*)(const void* in, Plane in_plane, void* out, Plane out_plane, std::int64_t n0,
                             std::int64_t n1);
// out[out_rows[j] + i] = in[in_rows[i] + j] for i < n0, j < n1; offsets in items.
using TransposeKernel = void (*)(const void* in, const std::int64_t* in_rows, void* out,
                                 const std::int64_t* out_rows, std::int64_t n0, std::int64_t n1);
// The same with rows of `row_bytes` bytes in the place of items: row (i, j) goes from in_rows[i] and j rows
// to out_rows[j] and i rows. Offsets are in items of `item_bytes` bytes.
using RowTransposeKernel = void (*)(const void* in, const std::int64_t* in_rows, void* out,
                                    const std::int64_t* out_rows, std::int64_t n0, std::int64_t n1,
                                    std::int64_t item_bytes, std::int64_t row_bytes);
// Stores past the caches: `row_bytes` bytes from in + r * in_step_bytes to out + out_rows[r] * item_bytes,
// for r < rows. Other threads may read them after a fence.
using StreamKernel = void (*)(const void* in, std::int64_t in_step_bytes, void* out,
                              const std::int64_t* out_rows, std::int64_t item_bytes, std::int64_t rows,
                              std::int64_t row_bytes);
// 1 when one of `count` items, which are integers, has the property.
using ScanKernel = int (*)(const void* in, std::int64_t count);

struct CopyTable {
  PlaneKernel plane[item_size_count];
  TransposeKernel transpose[item_size_count];
  RowTransposeKernel transpose_rows;
  StreamKernel stream;
  ScanKernel has_zero[item_size_count - 1];  // integers have at most 8 bytes
  ScanKernel has_negative[item_size_count - 1];
};

// gather: out[o(i, j)] = in[a(i, j) + indices[x(i, j)] * index_stride] for i < n0, j < n1, each with the
// strides of its plane. scatter: out[o(i, j) + indices[x(i, j)] * index_stride] = in[a(i, j)], with i the
// fastest.
using IndexedKernel = void (*)(const void* in, Plane in_plane, void* out, Plane out_plane,
                               const std::int64_t* indices, Plane index_plane, std::int64_t index_stride,
                               std::int64_t n0, std::int64_t n1);

struct IndexTable {
  IndexedKernel gather[item_size_count];
  IndexedKernel scatter[item_size_count];
};

// The leaves of a reduction are blocks of at most so many elements.
inline constexpr std::int64_t reduce_block_elements = 1024;
// Each block is combined in accumulators that fill so many bytes.
inline constexpr std::int64_t reduce_lane_bytes = 64;

// The accumulators of `lines` blocks of `count` consecutive elements each, 1 <= count <=
// reduce_block_elements, that begin `step` elements apart.
using RowReduceKernel = void (*)(const void* in, std::int64_t step, std::int64_t lines, std::int64_t count,
                                 void* accumulators);
// `width` accumulators, of a block each. Element r of block k is in[row_offsets[r] + k]. `scratch` has
// reduce_lane_bytes for each and is aligned like them.
using ColumnReduceKernel = void (*)(const void* in, const std::int64_t* row_offsets, std::int64_t count,
                                    std::int64_t width, void* scratch, void* accumulators);
// Combines `count` rows of `width` accumulators, `stride` apart, pairwise, neighbours first, into the first.
using CombineKernel = void (*)(void* accumulators, std::int64_t stride, std::int64_t count,
                               std::int64_t width);
// out[k * stride] = the result of accumulators[k], which hold `elements` elements; rounds once.
using FinishKernel = void (*)(const void* accumulators, std::int64_t count, std::int64_t elements, void* out,
                              std::int64_t stride);
// The accumulator of no elements.
using IdentityKernel = void (*)(void* accumulator);
// An accumulator that holds a place counts it from the beginning of its block; this moves that beginning.
using ShiftKernel = void (*)(void* accumulator, std::int64_t places);

struct ReduceKernels {
  RowReduceKernel rows;
  ColumnReduceKernel columns;
  CombineKernel combine;
  FinishKernel finish;
  IdentityKernel identity;  // null: undefined
  ShiftKernel shift;        // null: no places
  std::int64_t accumulator_bytes;
};
using ReduceRow = std::array<ReduceKernels, dtype_count>;

struct ReduceTable {
  ReduceRow sum, mean, max, min, prod, all, any;
};

struct PlaceTable {
  ReduceRow argmax, argmin;
};

struct NormTable {
  ReduceRow norm2;
};

// out = alpha * left * right + beta * out, out m x n, k terms in each element; everything at least 1. The
// planes are rows and terms, terms and columns, rows and columns. Beta 0 does not read out.
struct MatrixProduct {
  std::int64_t m, n, k;
  const void* alpha;  // one element, as beta
  const void* left;
  Plane left_plane;
  const void* right;
  Plane right_plane;
  const void* beta;
  void* out;
  Plane out_plane;
  bool is_left_conjugated;
  bool is_right_conjugated;
};

// At most so many elements of the left and of the right matrix of a small product.
inline constexpr std::int64_t small_product_side_elements = 1024;
using SmallProductKernel = void (*)(const MatrixProduct& product);

// A product of any size, whose beta is 0 or 1. `scratch` has the bytes that its table asks for and is aligned
// for vectors. The bits of an element depend on its factors, their number, alpha, beta and the ISA level
// alone.
using LargeProductKernel = void (*)(const MatrixProduct& product, void* scratch);
using ProductScratchBytes = std::int64_t (*)(std::int64_t m, std::int64_t n, std::int64_t k);

struct LargeProduct {
  LargeProductKernel multiply;
  ProductScratchBytes scratch_bytes;
};

struct ProductTable {
  std::array<SmallProductKernel, dtype_count> small;
  std::array<LargeProduct, dtype_count> large;
};

#define TENURE_CPU_DECLARE_TABLES(LEVEL)               \
  namespace LEVEL {                                    \
  extern const ArithmeticTable arithmetic_table;       \
  extern const ComparisonTable comparison_table;       \
  extern const ExponentialTable exponential_table;     \
  extern const LogarithmTable logarithm_table;         \
  extern const TrigonometricTable trigonometric_table; \
  extern const PowerTable power_table;                 \
  extern const RoundingTable rounding_table;           \
  extern const CastTable cast_table;                   \
  extern const CopyTable copy_table;                   \
  extern const IndexTable index_table;                 \
  extern const ReduceTable reduce_table;               \
  extern const PlaceTable place_table;                 \
  extern const NormTable norm_table;                   \
  extern const ProductTable product_table;             \
  }
TENURE_CPU_DECLARE_TABLES(baseline)
TENURE_CPU_DECLARE_TABLES(x86_64_v3)
TENURE_CPU_DECLARE_TABLES(x86_64_v4)
#undef TENURE_CPU_DECLARE_TABLES

}  // namespace tenure::cpu
