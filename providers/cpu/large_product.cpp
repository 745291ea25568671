// SPDX-License-Identifier: Apache-2.0
#include "large_product.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <optional>

#include "batch_work.hpp"
#include "product_tiles.hpp"
#include "program.hpp"
#include "scalar_element.hpp"
#include "scalar_number.hpp"
#include "tile_pack.hpp"

namespace tenure::cpu {
namespace {

// Tiles and terms are cut so that copies of matrices whose axes do not fuse stay bounded; terms always, since
// their order of summation depends on their number alone.
constexpr std::int64_t copied_side_max = 512;
constexpr std::int64_t tile_terms = 4096;

// Scratch that is aligned for vectors and for the lines of a cache.
class Scratch {
 public:
  std::byte* take(std::int64_t bytes) {
    memory_.reset(static_cast<std::byte*>(::operator new(static_cast<std::size_t>(bytes), alignment)));
    return memory_.get();
  }
  std::byte* get() const noexcept { return memory_.get(); }

 private:
  static constexpr std::align_val_t alignment{64};
  struct Free {
    void operator()(std::byte* memory) const noexcept { ::operator delete(memory, alignment); }
  };
  std::unique_ptr<std::byte[], Free> memory_;
};

struct Matrix {
  std::byte* address;
  Plane plane;
};

class Tiles {
 public:
  Tiles(const Executor& executor, const ContractPlan& plan, const tenure_contract_attributes& attributes,
        const Operand& left, const Operand& right, const Operand& out)
      : executor_(executor),
        plan_(plan),
        attributes_(attributes),
        left_(left),
        right_(right),
        out_(out),
        kernel_(executor.kernels.product->large[out.dtype]),
        left_plane_(find_plane(plan.rows, 1, plan.terms, 0)),
        right_plane_(find_plane(plan.terms, 1, plan.columns, 1)),
        out_plane_(find_plane(plan.rows, 0, plan.columns, 0)),
        adds_(!is_number(attributes.beta, 0)),
        alpha_(to_element(attributes.alpha)),
        zero_(to_element(number(out.abi_dtype(), 0))),
        one_(to_element(number(out.abi_dtype(), 1))) {}

  void run() const {
    const std::int64_t products_factor = abi::is_complex(out_.abi_dtype()) ? 4 : 1;
    ProductTiles tiles = choose_tiles(executor_, {plan_.m, plan_.n, plan_.k, plan_.batch_count},
                                      contract_products_per_cost / products_factor);
    if (!left_plane_ || !right_plane_ || !out_plane_) tiles = tiles.cut(copied_side_max);
    const BatchWork work{.items = plan_.batch_count, .tiles = tiles.count(), .tile_cost = tiles.tile_cost};
    require_batch_policy(executor_, work, "contract");
    scale_out();
    for_each_batch_task(executor_, work, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t unit = begin; unit < end; ++unit) {
        const std::int64_t tile = unit % work.tiles;
        multiply_tile(unit / work.tiles, tiles.rows(tile), tiles.columns(tile));
      }
    });
  }

 private:
  // Tiles are added to what is left of the output, so that it is scaled before them.
  void scale_out() const {
    if (!adds_ || is_number(attributes_.beta, 1)) return;
    Executor executor = executor_;
    if (executor.batch_policy == TENURE_BATCH_SEQUENTIAL) executor.parallel = nullptr;
    scale(executor, out_, attributes_.beta);
  }

  void multiply_tile(std::int64_t batch, Piece rows, Piece columns) const {
    const auto matrix = [&](const Operand& operand, int number) {
      const std::int64_t offset = plan_.batch.start(number) + plan_.batch.offset(number, batch);
      return operand.address + offset * out_.element_bytes();
    };
    std::byte* const out = matrix(out_, 0);
    Scratch out_copy, left_copy, right_copy, scratch;
    MatrixProduct product{.m = rows.count,
                          .n = columns.count,
                          .k = 0,
                          .alpha = alpha_.bytes,
                          .left = nullptr,
                          .left_plane = {},
                          .right = nullptr,
                          .right_plane = {},
                          .beta = adds_ ? one_.bytes : zero_.bytes,
                          .out = nullptr,
                          .out_plane = {},
                          .is_left_conjugated = (attributes_.flags & TENURE_CONTRACT_CONJUGATE_LEFT) != 0,
                          .is_right_conjugated = (attributes_.flags & TENURE_CONTRACT_CONJUGATE_RIGHT) != 0};
    const Matrix target = out_plane_
                              ? in_memory(out, *out_plane_, plan_.rows, 0, rows, plan_.columns, 0, columns)
                              : packed_out(out, rows, columns, out_copy);
    product.out = target.address;
    product.out_plane = target.plane;
    void* const packed =
        scratch.take(kernel_.scratch_bytes(rows.count, columns.count, std::min(plan_.k, tile_terms)));
    for (std::int64_t term = 0; term < plan_.k; term += tile_terms) {
      const Piece terms{term, std::min(tile_terms, plan_.k - term)};
      const Matrix left =
          factor(matrix(left_, 1), left_plane_, plan_.rows, 1, rows, plan_.terms, 0, terms, left_copy);
      const Matrix right = factor(matrix(right_, 2), right_plane_, plan_.terms, 1, terms, plan_.columns, 1,
                                  columns, right_copy);
      product.k = terms.count;
      product.left = left.address;
      product.left_plane = left.plane;
      product.right = right.address;
      product.right_plane = right.plane;
      if (term != 0) product.beta = one_.bytes;
      kernel_.multiply(product, packed);
    }
    if (!out_plane_) {
      unpack_tile(out_copy.get(), offsets_of(plan_.rows, 0, rows), offsets_of(plan_.columns, 0, columns),
                  out_.element_bytes(), out);
    }
  }

  // A piece of a matrix where it lies.
  Matrix in_memory(std::byte* matrix, Plane plane, const LoopNest& rows, int rows_operand, Piece row,
                   const LoopNest& columns, int columns_operand, Piece column) const {
    const std::int64_t offset = rows.start(rows_operand) + rows.offset(rows_operand, row.begin) +
                                columns.start(columns_operand) +
                                columns.offset(columns_operand, column.begin);
    return {matrix + offset * out_.element_bytes(), plane};
  }

  Matrix factor(std::byte* matrix, const std::optional<Plane>& plane, const LoopNest& rows, int rows_operand,
                Piece row, const LoopNest& columns, int columns_operand, Piece column, Scratch& copy) const {
    if (plane) return in_memory(matrix, *plane, rows, rows_operand, row, columns, columns_operand, column);
    std::byte* const packed = copy.take(row.count * column.count * out_.element_bytes());
    pack_tile(matrix, offsets_of(rows, rows_operand, row), offsets_of(columns, columns_operand, column),
              out_.element_bytes(), packed);
    return {packed, {1, row.count}};
  }

  // Scratch for a piece of the output, with its contents where they are added to.
  Matrix packed_out(const std::byte* out, Piece rows, Piece columns, Scratch& copy) const {
    std::byte* const packed = copy.take(rows.count * columns.count * out_.element_bytes());
    if (adds_) {
      pack_tile(out, offsets_of(plan_.rows, 0, rows), offsets_of(plan_.columns, 0, columns),
                out_.element_bytes(), packed);
    }
    return {packed, {1, rows.count}};
  }

  const Executor& executor_;
  const ContractPlan& plan_;
  const tenure_contract_attributes& attributes_;
  const Operand& left_;
  const Operand& right_;
  const Operand& out_;
  LargeProduct kernel_;
  std::optional<Plane> left_plane_;
  std::optional<Plane> right_plane_;
  std::optional<Plane> out_plane_;
  bool adds_;
  ScalarElement alpha_;
  ScalarElement zero_;
  ScalarElement one_;
};

}  // namespace

void run_large_product(const Executor& executor, const ContractPlan& plan,
                       const tenure_contract_attributes& attributes, const Operand& left,
                       const Operand& right, const Operand& out) {
  Tiles(executor, plan, attributes, left, right, out).run();
}

}  // namespace tenure::cpu
