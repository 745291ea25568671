// SPDX-License-Identifier: Apache-2.0
#include "contract.hpp"

#include <algorithm>
#include <memory>

#include "batch_work.hpp"
#include "blas.hpp"
#include "contract_plan.hpp"
#include "copy.hpp"
#include "large_product.hpp"
#include "outer_product.hpp"
#include "program.hpp"
#include "scalar_element.hpp"
#include "scalar_number.hpp"
#include "small_product.hpp"
#include "tenure/sdk/error.hpp"
#include "tile_pack.hpp"

namespace tenure::cpu {
namespace {

// Large enough that BLAS repacks little, small enough that the smallest products worth two threads have two
// tiles. Terms are cut so that packed scratch stays bounded.
std::int64_t tile_rows(std::int64_t m) noexcept { return m >= 1024 ? 512 : 256; }
std::int64_t tile_columns(std::int64_t n) noexcept { return n >= 512 ? 256 : 128; }
constexpr std::int64_t tile_terms = 4096;

// Multiply-adds that take as long as one element of a memory-bound loop.
constexpr std::int64_t products_per_cost = 16;

std::byte* at(const Operand& operand, std::int64_t offset) noexcept {
  return operand.address + offset * operand.element_bytes();
}

class Contraction {
 public:
  Contraction(const Executor& executor, const ContractPlan& plan,
              const tenure_contract_attributes& attributes, const Operand& left, const Operand& right,
              const Operand& out)
      : executor_(executor),
        plan_(plan),
        attributes_(attributes),
        left_(left),
        right_(right),
        out_(out),
        left_layout_(find_matrix_layout(plan.rows, 1, plan.terms, 0)),
        right_layout_(find_matrix_layout(plan.terms, 1, plan.columns, 1)),
        out_layout_(find_matrix_layout(plan.rows, 0, plan.columns, 0)),
        alpha_(to_element(attributes.alpha)),
        beta_(to_element(attributes.beta)),
        one_(to_element(number(out.abi_dtype(), 1))) {}

  void run() const {
    const std::int64_t row_tiles = (plan_.m + tile_rows(plan_.m) - 1) / tile_rows(plan_.m);
    const std::int64_t column_tiles = (plan_.n + tile_columns(plan_.n) - 1) / tile_columns(plan_.n);
    const std::int64_t products = std::min(plan_.m, tile_rows(plan_.m)) *
                                  std::min(plan_.n, tile_columns(plan_.n)) * std::min(plan_.k, tile_terms);
    const BatchWork work{.items = plan_.batch_count,
                         .tiles = row_tiles * column_tiles,
                         .tile_cost = std::max<std::int64_t>(1, products / products_per_cost)};
    require_batch_policy(executor_, work, "contract");
    for_each_batch_task(executor_, work, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t tile = begin; tile < end; ++tile) {
        const std::int64_t row = tile % row_tiles * tile_rows(plan_.m);
        const std::int64_t column = tile / row_tiles % column_tiles * tile_columns(plan_.n);
        multiply_tile(tile / row_tiles / column_tiles, {row, std::min(tile_rows(plan_.m), plan_.m - row)},
                      {column, std::min(tile_columns(plan_.n), plan_.n - column)});
      }
    });
  }

 private:
  // Scratch of one operand of one tile.
  using Scratch = std::unique_ptr<std::byte[]>;

  void multiply_tile(std::int64_t batch, Piece rows, Piece columns) const {
    const auto batch_offset = [&](int operand) {
      return plan_.batch.start(operand) + plan_.batch.offset(operand, batch);
    };
    std::byte* const out = at(out_, batch_offset(0));
    Scratch out_scratch, left_scratch, right_scratch;
    BlasProduct product{.dtype = out_.dtype,
                        .m = rows.count,
                        .n = columns.count,
                        .k = 0,
                        .alpha = alpha_.bytes,
                        .left = {},
                        .right = {},
                        .beta = beta_.bytes,
                        .out = {}};
    product.out = out_layout_ ? in_memory(out, *out_layout_, plan_.rows, 0, rows, plan_.columns, 0, columns)
                              : packed_out(out, rows, columns, out_scratch);
    for (std::int64_t term = 0; term < plan_.k; term += tile_terms) {
      const Piece terms{term, std::min(tile_terms, plan_.k - term)};
      product.k = terms.count;
      product.left = operand(left_, batch_offset(1), left_layout_, plan_.rows, 1, rows, plan_.terms, 0, terms,
                             left_scratch);
      product.right = operand(right_, batch_offset(2), right_layout_, plan_.terms, 1, terms, plan_.columns, 1,
                              columns, right_scratch);
      product.left.is_conjugated = (attributes_.flags & TENURE_CONTRACT_CONJUGATE_LEFT) != 0 && is_complex();
      product.right.is_conjugated =
          (attributes_.flags & TENURE_CONTRACT_CONJUGATE_RIGHT) != 0 && is_complex();
      if (term != 0) product.beta = one_.bytes;
      multiply_matrices(product.out.is_transposed ? transposed(product) : product);
    }
    if (!out_layout_) {
      unpack_tile(out_scratch.get(), offsets_of(plan_.rows, 0, rows), offsets_of(plan_.columns, 0, columns),
                  out_.element_bytes(), out);
    }
  }

  void multiply_matrices(const BlasProduct& product) const {
    if (has_blas(product.dtype)) {
      multiply(product);
    } else {
      multiply_large(executor_.kernels, product);
    }
  }

  bool is_complex() const noexcept { return abi::is_complex(out_.abi_dtype()); }

  // A piece of a matrix that BLAS can take where it lies.
  BlasMatrix in_memory(std::byte* matrix, const MatrixLayout& layout, const LoopNest& rows, int rows_operand,
                       Piece row, const LoopNest& columns, int columns_operand, Piece column) const {
    const std::int64_t offset = rows.start(rows_operand) + rows.offset(rows_operand, row.begin) +
                                columns.start(columns_operand) +
                                columns.offset(columns_operand, column.begin);
    return {matrix + offset * out_.element_bytes(), layout.leading, layout.is_transposed};
  }

  BlasMatrix operand(const Operand& source, std::int64_t offset, const std::optional<MatrixLayout>& layout,
                     const LoopNest& rows, int rows_operand, Piece row, const LoopNest& columns,
                     int columns_operand, Piece column, Scratch& scratch) const {
    std::byte* const matrix = at(source, offset);
    if (layout) return in_memory(matrix, *layout, rows, rows_operand, row, columns, columns_operand, column);
    scratch = make_scratch(row, column);
    pack_tile(matrix, offsets_of(rows, rows_operand, row), offsets_of(columns, columns_operand, column),
              source.element_bytes(), scratch.get());
    return {scratch.get(), row.count};
  }

  // Scratch for a piece of the output, with its contents where beta needs them.
  BlasMatrix packed_out(const std::byte* out, Piece rows, Piece columns, Scratch& scratch) const {
    scratch = make_scratch(rows, columns);
    if (!is_number(attributes_.beta, 0)) {
      pack_tile(out, offsets_of(plan_.rows, 0, rows), offsets_of(plan_.columns, 0, columns),
                out_.element_bytes(), scratch.get());
    }
    return {scratch.get(), rows.count};
  }

  Scratch make_scratch(Piece rows, Piece columns) const {
    return std::make_unique_for_overwrite<std::byte[]>(
        static_cast<std::size_t>(rows.count * columns.count * out_.element_bytes()));
  }

  // The same product with all matrices transposed, for a row-major output.
  static BlasProduct transposed(const BlasProduct& product) noexcept {
    BlasProduct other = product;
    std::swap(other.m, other.n);
    std::swap(other.left, other.right);
    other.left.is_transposed = !other.left.is_transposed;
    other.right.is_transposed = !other.right.is_transposed;
    other.out.is_transposed = false;
    return other;
  }

  const Executor& executor_;
  const ContractPlan& plan_;
  const tenure_contract_attributes& attributes_;
  const Operand& left_;
  const Operand& right_;
  const Operand& out_;
  std::optional<MatrixLayout> left_layout_;
  std::optional<MatrixLayout> right_layout_;
  std::optional<MatrixLayout> out_layout_;
  ScalarElement alpha_;
  ScalarElement beta_;
  ScalarElement one_;
};

// out = beta * out
void scale_only(const Executor& executor, const tenure_scalar& beta, const Operand& out) {
  if (is_number(beta, 0)) {
    constexpr std::int64_t no_strides[TENURE_RANK_MAX] = {};
    const ScalarElement zero{};
    copy_box(executor, {.out = out.address,
                        .in = zero.bytes,
                        .extents = out.extents,
                        .out_strides = out.strides,
                        .in_strides = std::span(no_strides).first(out.extents.size()),
                        .item_bytes = out.element_bytes()});
  } else if (!is_number(beta, 1)) {
    scale(executor, out, beta);
  }
}

}  // namespace

bool has_product(const KernelSet& kernels, std::size_t dtype) noexcept {
  return dtype < dtype_count && kernels.product->small[dtype] != nullptr;
}

void run_contract(const Executor& executor, const tenure_contract_attributes& attributes, const Operand& left,
                  const Operand& right, const Operand& out) {
  if (!has_product(executor.kernels, out.dtype) || left.dtype != out.dtype || right.dtype != out.dtype) {
    const Operand operands[] = {left, right, out};
    refuse_dtypes("contract", operands);
  }
  if (!abi::same_dtype(attributes.alpha.dtype, out.abi_dtype()) ||
      !abi::same_dtype(attributes.beta.dtype, out.abi_dtype())) {
    throw sdk::Error(
        TENURE_INVALID_ARGUMENT,
        "contract: alpha and beta must have the dtype of the operands, " + std::string(out.dtype_name()));
  }
  const ContractPlan plan(attributes, left, right, out);
  if (plan.batch_count == 0) return;
  if (plan.k == 0 || is_number(attributes.alpha, 0)) {
    scale_only(executor, attributes.beta, out);
  } else if (is_outer_product(executor, plan)) {
    run_outer_product(executor, plan, attributes, left, right, out);
  } else if (is_small_product(plan)) {
    run_small_product(executor, plan, attributes, left, right, out);
  } else {
    Contraction(executor, plan, attributes, left, right, out).run();
  }
}

}  // namespace tenure::cpu
