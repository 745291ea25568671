// SPDX-License-Identifier: Apache-2.0
#include "small_product.hpp"

#include <algorithm>

#include "batch_work.hpp"
#include "scalar_element.hpp"

namespace tenure::cpu {
namespace {

// Measured: up to so many multiply-adds the register kernels take less time than the library.
constexpr std::int64_t small_terms_max = 32768;

// Multiply-adds that take as long as one element of a memory-bound loop.
constexpr std::int64_t terms_per_cost = 8;

std::int64_t stride_of(const LoopNest& nest, int operand) noexcept {
  return nest.rank() == 0 ? 1 : nest.stride(operand, 0);
}

}  // namespace

bool is_small_product(const ContractPlan& plan) noexcept {
  return plan.rows.rank() <= 1 && plan.columns.rank() <= 1 && plan.terms.rank() <= 1 &&
         std::max(plan.m, plan.n) <= small_product_side_elements / plan.k &&
         plan.m * plan.k <= small_terms_max / plan.n;
}

void run_small_product(const Executor& executor, const ContractPlan& plan,
                       const tenure_contract_attributes& attributes, const Operand& left,
                       const Operand& right, const Operand& out) {
  const ScalarElement alpha = to_element(attributes.alpha);
  const ScalarElement beta = to_element(attributes.beta);
  const MatrixProduct product{
      .m = plan.m,
      .n = plan.n,
      .k = plan.k,
      .alpha = alpha.bytes,
      .left = nullptr,
      .left_plane = {stride_of(plan.rows, 1), stride_of(plan.terms, 0)},
      .right = nullptr,
      .right_plane = {stride_of(plan.terms, 1), stride_of(plan.columns, 1)},
      .beta = beta.bytes,
      .out = nullptr,
      .out_plane = {stride_of(plan.rows, 0), stride_of(plan.columns, 0)},
      .is_left_conjugated = (attributes.flags & TENURE_CONTRACT_CONJUGATE_LEFT) != 0,
      .is_right_conjugated = (attributes.flags & TENURE_CONTRACT_CONJUGATE_RIGHT) != 0};
  const auto at = [&](const Operand& operand, int number, std::int64_t batch, std::int64_t start) {
    const std::int64_t offset = plan.batch.start(number) + plan.batch.offset(number, batch) + start;
    return operand.address + offset * operand.element_bytes();
  };
  const BatchWork work{.items = plan.batch_count,
                       .tiles = 1,
                       .tile_cost = std::max<std::int64_t>(1, plan.m * plan.n * plan.k / terms_per_cost)};
  require_batch_policy(executor, work, "contract");
  const SmallProductKernel multiply = executor.kernels.product->small[out.dtype];
  for_each_batch_task(executor, work, [&](std::int64_t begin, std::int64_t end) {
    MatrixProduct here = product;
    for (std::int64_t batch = begin; batch < end; ++batch) {
      here.left = at(left, 1, batch, plan.rows.start(1) + plan.terms.start(0));
      here.right = at(right, 2, batch, plan.terms.start(1) + plan.columns.start(1));
      here.out = at(out, 0, batch, plan.rows.start(0) + plan.columns.start(0));
      multiply(here);
    }
  });
}

}  // namespace tenure::cpu
