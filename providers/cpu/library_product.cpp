// SPDX-License-Identifier: Apache-2.0
#include "library_product.hpp"

#include <algorithm>
#include <utility>

#include "batch_work.hpp"
#include "blas.hpp"
#include "scalar_element.hpp"
#include "tenure/abi/dtype.hpp"

namespace tenure::cpu {
namespace {

// Measured: up to so many multiply-adds the library takes less time than products that pack their matrices,
// and a product is too short to be divided between threads. How it would be divided, its bits would depend
// on.
constexpr std::int64_t library_products_max = 1 << 20;

struct Layouts {
  std::optional<MatrixLayout> left, right, out;
};

Layouts find_layouts(const ContractPlan& plan) noexcept {
  return {find_matrix_layout(plan.rows, 1, plan.terms, 0), find_matrix_layout(plan.terms, 1, plan.columns, 1),
          find_matrix_layout(plan.rows, 0, plan.columns, 0)};
}

// The same product with all matrices transposed, for a row-major output.
BlasProduct transposed(const BlasProduct& product) noexcept {
  BlasProduct other = product;
  std::swap(other.m, other.n);
  std::swap(other.left, other.right);
  other.left.is_transposed = !other.left.is_transposed;
  other.right.is_transposed = !other.right.is_transposed;
  other.out.is_transposed = false;
  return other;
}

}  // namespace

bool run_library_product(const Executor& executor, const ContractPlan& plan,
                         const tenure_contract_attributes& attributes, const Operand& left,
                         const Operand& right, const Operand& out) {
  // Divided one after the other, since the product of all may not fit.
  if (!has_blas(out.dtype) || library_products_max / plan.m / plan.n / plan.k == 0) return false;
  const Layouts layouts = find_layouts(plan);
  if (!layouts.left || !layouts.right || !layouts.out) return false;
  const ScalarElement alpha = to_element(attributes.alpha);
  const ScalarElement beta = to_element(attributes.beta);
  const bool is_complex = abi::is_complex(out.abi_dtype());
  const auto matrix = [&](const MatrixLayout& layout, std::uint32_t conjugation) {
    return BlasMatrix{.address = nullptr,
                      .leading = layout.leading,
                      .is_transposed = layout.is_transposed,
                      .is_conjugated = is_complex && (attributes.flags & conjugation) != 0};
  };
  const BlasProduct product{.dtype = out.dtype,
                            .m = plan.m,
                            .n = plan.n,
                            .k = plan.k,
                            .alpha = alpha.bytes,
                            .left = matrix(*layouts.left, TENURE_CONTRACT_CONJUGATE_LEFT),
                            .right = matrix(*layouts.right, TENURE_CONTRACT_CONJUGATE_RIGHT),
                            .beta = beta.bytes,
                            .out = matrix(*layouts.out, 0)};
  const auto at = [&](const Operand& operand, int number, std::int64_t batch, std::int64_t start) {
    const std::int64_t offset = plan.batch.start(number) + plan.batch.offset(number, batch) + start;
    return operand.address + offset * operand.element_bytes();
  };
  const std::int64_t cost = plan.m * plan.n * plan.k * (is_complex ? 4 : 1) / contract_products_per_cost;
  const BatchWork work{.items = plan.batch_count, .tiles = 1, .tile_cost = std::max<std::int64_t>(1, cost)};
  require_batch_policy(executor, work, "contract");
  for_each_batch_task(executor, work, [&](std::int64_t begin, std::int64_t end) {
    BlasProduct here = product;
    for (std::int64_t batch = begin; batch < end; ++batch) {
      here.left.address = at(left, 1, batch, plan.rows.start(1) + plan.terms.start(0));
      here.right.address = at(right, 2, batch, plan.terms.start(1) + plan.columns.start(1));
      here.out.address = at(out, 0, batch, plan.rows.start(0) + plan.columns.start(0));
      multiply(here.out.is_transposed ? transposed(here) : here);
    }
  });
  return true;
}

}  // namespace tenure::cpu
